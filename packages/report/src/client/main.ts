import { decodeCubes } from "./data.js";
import { startDownloads } from "./downloads.js";
import { startExplorer } from "./explorer.js";
import { startPlaces } from "./places.js";
import { startTooltips } from "./tooltip.js";
import { startValueFunctions } from "./value-functions.js";

document.documentElement.classList.add("js");
startTooltips();
startValueFunctions();
startPlaces();
startDownloads();
startSearch();
startIndex();
// Browsers from before 2023 cannot unpack the values of the scenarios. Everything else works in them, too.
decodeCubes().then(startExplorer, () => document.getElementById("explorer")?.remove());

/** Shows only the charts of a section whose title has the words. */
function startSearch(): void {
  for (const input of document.querySelectorAll<HTMLInputElement>("[data-search]")) {
    const figures = input.closest("section")?.querySelectorAll<HTMLElement>("figure.small") ?? [];
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase();
      for (const figure of figures) {
        figure.hidden = !figure.dataset.title?.toLowerCase().includes(words);
      }
    });
  }
}

/** Marks the section that is read in the index. */
function startIndex(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>("nav a")].map((a) => [a.hash.slice(1), a]),
  );
  for (const [id, link] of links) {
    // A page within a notebook has the address of the notebook: following the link would open that in its place.
    link.addEventListener("click", (event) => {
      event.preventDefault();
      document.getElementById(id)?.scrollIntoView();
      if (location.protocol === "file:" || location.protocol.startsWith("http")) {
        history.replaceState(null, "", `#${id}`);
      }
    });
  }
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        for (const link of links.values()) link.classList.remove("here");
        links.get(target.id)?.classList.add("here");
      }
    },
    { rootMargin: "-15% 0px -75% 0px" },
  );
  for (const section of document.querySelectorAll("section[id]")) observer.observe(section);
}
