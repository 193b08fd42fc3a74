/** What can be changed in a file of built code: one small change at a time, each as an edit of its text. */

const SWAPPED = {
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "**": ["*"],
  "&": ["|"],
  "|": ["&"],
  "^": ["&"],
  "<<": [">>"],
  ">>": ["<<"],
  ">>>": [">>"],
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "==": ["!="],
  "!=": ["=="],
  "===": ["!=="],
  "!==": ["==="],
  "&&": ["||"],
  "||": ["&&"],
  "+=": ["-="],
  "-=": ["+="],
  "*=": ["/="],
  "/=": ["*="],
  "|=": ["&="],
  "&=": ["|="],
  "++": ["--"],
  "--": ["++"],
};

/** Methods of which one is easily taken for the other. */
const SWAPPED_METHODS = {
  some: "every",
  every: "some",
  "Math.min": "max",
  "Math.max": "min",
  "Math.floor": "ceil",
  "Math.ceil": "floor",
  "Math.trunc": "round",
  "Math.round": "trunc",
};

const SWAPPED_LITERALS = { true: "false", false: "true", 0: "1", 1: "0", "0n": "1n", "1n": "0n" };

/** A longer list of numbers is a table of constants, and each of its numbers would be a change. */
const LONGEST_LIST = 16;

/** Code that the compiler adds for `using`. */
const COMPILER_CODE = /\benv_\d|__(addDisposableResource|disposeResources)\b/;

/**
 * All changes of a file: `{ start, end, replacement, at, within }`. The code that starts `at` executes what is changed; `within` names the
 * function around it.
 *
 * @param parse acorn's `parse`
 */
export function listChanges(source, parse) {
  const options = { ecmaVersion: "latest", sourceType: "module", allowHashBang: true };
  const changes = [];
  const edit = (start, end, replacement, at, within) => {
    const change = { start, end, replacement, at, within };
    if (source.slice(start, end) === replacement || COMPILER_CODE.test(lineAt(source, start)))
      return;
    try {
      parse(applied(source, change), options);
    } catch {
      return; // for instance `-a ** b`; a syntax error is no finding
    }
    changes.push(change);
  };
  /** `decides`: whether only the truth of the node's value counts. */
  const visit = (node, parent, key, within, decides) => {
    for (const [start, end, replacement] of editsOf(node, parent, key, source))
      edit(start, end, replacement, node.start, within);
    if (decides && !isTurnedElsewhere(node))
      edit(node.start, node.end, `!(${source.slice(node.start, node.end)})`, node.start, within);
    if (node.type === "ArrayExpression" && isTable(node)) return;
    const inside = nameOf(node, parent, source) ?? within;
    for (const [name, child] of childrenOf(node))
      visit(child, node, name, inside, isDeciding(node, name, decides));
  };
  visit(parse(source, options), undefined, undefined, "", false);
  return changes;
}

/** The text with the change. */
export function applied(source, { start, end, replacement }) {
  return source.slice(0, start) + replacement + source.slice(end);
}

function* editsOf(node, parent, key, source) {
  const swap = (from, to, operator) => {
    const start = from + source.slice(from, to).indexOf(operator);
    return SWAPPED[operator].map((other) => [start, start + operator.length, other]);
  };
  const text = ({ start, end }) => source.slice(start, end);
  switch (node.type) {
    case "BinaryExpression":
    case "LogicalExpression":
      if (node.operator === "??") {
        yield [node.start, node.end, `(${text(node.left)})`];
        yield [node.start, node.end, `(${text(node.right)})`];
      } else if (node.operator in SWAPPED && !(node.operator === "+" && joinsText(node))) {
        yield* swap(node.left.end, node.right.start, node.operator);
      }
      break;
    case "AssignmentExpression":
      if (node.operator in SWAPPED && !(node.operator === "+=" && isText(node.right)))
        yield* swap(node.left.end, node.right.start, node.operator);
      break;
    case "UpdateExpression":
      // A loop that counts the other way never ends or throws at once: nothing to learn.
      if (!(parent.type === "ForStatement" && key === "update")) {
        const [from, to] = node.prefix
          ? [node.start, node.argument.start]
          : [node.argument.end, node.end];
        yield* swap(from, to, node.operator);
      }
      break;
    case "UnaryExpression":
      if (node.operator === "-" || node.operator === "!") yield [node.start, node.start + 1, ""];
      break;
    case "Literal":
      if (Object.hasOwn(SWAPPED_LITERALS, node.raw) && key !== "key")
        yield [node.start, node.end, SWAPPED_LITERALS[node.raw]];
      break;
    case "CallExpression": {
      const { callee } = node;
      if (callee.type !== "MemberExpression" || callee.computed) break;
      const { name } = callee.property;
      const other =
        callee.object.name === "Math" ? SWAPPED_METHODS[`Math.${name}`] : SWAPPED_METHODS[name];
      if (typeof other === "string") yield [callee.property.start, callee.property.end, other];
      break;
    }
    case "ExpressionStatement":
      if (isRemovable(node.expression)) yield [node.start, node.end, ";"];
      break;
  }
}

/** Whether only the truth of a node's child counts; `decides` says so of the node itself. */
function isDeciding(node, name, decides) {
  if (name === "test") return node.type !== "SwitchCase";
  if (node.type !== "LogicalExpression" || node.operator === "??") return false;
  return name === "left" || decides;
}

/** Whether another change turns the condition round. */
function isTurnedElsewhere({ type, operator }) {
  if (type === "BinaryExpression") return operator in SWAPPED;
  return type === "LogicalExpression" || (type === "UnaryExpression" && operator === "!");
}

function isRemovable(expression) {
  if (expression.type === "AwaitExpression") return isRemovable(expression.argument);
  if (expression.type === "ChainExpression") return isRemovable(expression.expression);
  if (expression.type === "CallExpression") return expression.callee.type !== "Super";
  return expression.type === "AssignmentExpression" || expression.type === "UpdateExpression";
}

function isText(node) {
  if (node.type === "TemplateLiteral" || typeof node.value === "string") return true;
  return node.type === "BinaryExpression" && node.operator === "+" && joinsText(node);
}

function joinsText(node) {
  return isText(node.left) || isText(node.right);
}

function isTable({ elements }) {
  return elements.length > LONGEST_LIST && elements.every((one) => one?.type === "Literal");
}

/** The name that a function has or gets, `undefined` if the node is none or has none. */
function nameOf(node, parent, source) {
  if (!/^(ArrowFunction|Function)/.test(node.type)) return undefined;
  const named = node.id ?? parent?.id ?? parent?.key ?? parent?.left;
  return named && source.slice(named.start, named.end);
}

function* childrenOf(node) {
  for (const [name, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child?.type === "string") yield [name, child];
  }
}

function lineAt(source, offset) {
  const end = source.indexOf("\n", offset);
  return source.slice(source.lastIndexOf("\n", offset - 1) + 1, end < 0 ? source.length : end);
}
