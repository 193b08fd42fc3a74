// The script of the site: the menu of small windows, copying, and the search. Everything else works without it.
(() => {
  const menu = document.getElementById("menu");
  const pages = document.getElementById("pages");
  menu.hidden = false;
  menu.addEventListener("click", () => {
    const isOpen = document.body.classList.toggle("open");
    menu.setAttribute("aria-expanded", String(isOpen));
  });
  pages.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });

  for (const button of document.querySelectorAll("button.copy")) {
    if (navigator.clipboard === undefined) break;
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = "copied";
      setTimeout(() => {
        button.textContent = "copy";
      }, 1500);
    });
  }

  const input = document.getElementById("search");
  const found = document.getElementById("found");
  const MOST = 12;
  input.closest(".search").hidden = false;

  /** The index is large, so it is loaded when somebody wants to search. */
  let loading;
  const load = () => {
    loading ??= new Promise((resolve) => {
      const script = document.createElement("script");
      script.src = "search-index.js";
      script.addEventListener("load", resolve);
      document.head.append(script);
    });
    return loading;
  };

  /** Every word must occur. Headings count most, then titles of pages, then the number of times; texts come before the API. */
  const scoreOf = ([page, , title, heading, text], words) => {
    const places = [heading, title, text].map((part) => part.toLowerCase());
    let score = page.startsWith("api-") ? 0 : 8;
    for (const word of words) {
      if (!places.some((part) => part.includes(word))) return 0;
      score += 1 + Math.min(places[2].split(word).length - 1, 5);
      if (places[0].includes(word)) score += places[0] === word ? 60 : 30;
      if (places[1].includes(word)) score += 10;
    }
    return score;
  };

  /** A piece of the text around the first word. */
  const excerptOf = (text, word) => {
    const at = text.toLowerCase().indexOf(word);
    if (at === -1) return text.slice(0, 110);
    const from = Math.max(0, at - 40);
    return `${from > 0 ? "…" : ""}${text.slice(from, at + 70)}`;
  };

  const show = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    found.replaceChildren();
    found.hidden = words.length === 0;
    if (words.length === 0) return;
    const best = window.cobreSearch
      .map((line) => ({ line, score: scoreOf(line, words) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, MOST);
    for (const { line } of best) {
      const [page, id, title, heading, text] = line;
      const link = document.createElement("a");
      link.href = `${page}.html#${id}`;
      const name = document.createElement("strong");
      name.textContent = heading;
      const where = document.createElement("small");
      where.textContent = title;
      const excerpt = document.createElement("span");
      excerpt.textContent = excerptOf(text, words[0]);
      link.append(name, where, excerpt);
      found.append(link);
    }
    if (best.length === 0) found.textContent = "Nothing found.";
  };

  const hide = () => {
    found.hidden = true;
  };
  input.addEventListener("focus", load);
  input.addEventListener("input", () => load().then(show));
  input.addEventListener("keydown", (event) => {
    const links = [...found.querySelectorAll("a")];
    if (event.key === "Escape") hide();
    else if (event.key === "ArrowDown") links[0]?.focus();
    else if (event.key === "Enter") links[0]?.click();
    else return;
    event.preventDefault();
  });
  found.addEventListener("keydown", (event) => {
    const links = [...found.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement);
    if (event.key === "ArrowDown") links[at + 1]?.focus();
    else if (event.key === "ArrowUp") (links[at - 1] ?? input).focus();
    else if (event.key === "Escape") {
      hide();
      input.focus();
    } else return;
    event.preventDefault();
  });
  found.addEventListener("click", hide);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || /^(?:INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) return;
    event.preventDefault();
    input.focus();
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".search")) hide();
  });
})();
