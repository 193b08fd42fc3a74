import type { Report } from "@cobre/study";

/** The bar that chooses scenarios. It is only shown if the script runs. */
export function explorerHtml({ simulation }: Report): string {
  if (simulation === undefined) return "";
  const slider = (which: string, label: string) =>
    `<label><span>${label}</span><input type="range" min="1" max="1" value="1" data-choose="${which}" aria-label="${label}, by rank of cost"></label><output data-chosen="${which}">none</output>`;
  return `<div class="explorer live" id="explorer" role="group" aria-label="Scenario explorer">
<div class="one">${slider("a", "Scenario")}<span class="jumps"><button type="button" data-jump="0">cheapest</button><button type="button" data-jump="0.5">median</button><button type="button" data-jump="1">dearest</button><button type="button" data-compare>compare</button><button type="button" data-clear>clear</button></span></div>
<div class="other" hidden>${slider("b", "with")}</div>
</div>`;
}
