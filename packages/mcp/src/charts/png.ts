import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

/** Fonts that systems have. The renderer brings none, and a chart without its numbers is of no use. */
const FONTS = [
  "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
  "/usr/share/fonts/dejavu/DejaVuSans.ttf",
  "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
  "/usr/share/fonts/TTF/DejaVuSans.ttf",
  "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
  "/usr/share/fonts/liberation/LiberationSans-Regular.ttf",
  "/usr/share/fonts/liberation-sans/LiberationSans-Regular.ttf",
  "/System/Library/Fonts/Supplemental/Arial.ttf",
  "/Library/Fonts/Arial.ttf",
  "C:\\Windows\\Fonts\\arial.ttf",
  join(homedir(), ".fonts/DejaVuSans.ttf"),
];

type Renderer = (svg: string) => Uint8Array;
let renderer: Promise<Renderer | undefined> | undefined;

/** A drawing as PNG, twice as large; `undefined` if this system has no font to draw with. */
export async function pngOf(svg: string): Promise<Uint8Array | undefined> {
  renderer ??= loadRenderer();
  return (await renderer)?.(svg);
}

/** WebAssembly, loaded when the first picture is asked for. */
async function loadRenderer(): Promise<Renderer | undefined> {
  const font = await firstFont();
  if (font === undefined) return undefined;
  const { initWasm, Resvg } = await import("@resvg/resvg-wasm");
  const module = createRequire(import.meta.url).resolve("@resvg/resvg-wasm/index_bg.wasm");
  await initWasm(await readFile(module));
  return (svg) => {
    const options = { font: { fontBuffers: [font], loadSystemFonts: false } };
    return new Resvg(svg, { ...options, fitTo: { mode: "zoom", value: 2 } }).render().asPng();
  };
}

async function firstFont(): Promise<Uint8Array | undefined> {
  for (const path of FONTS) {
    const bytes = await readFile(path).catch(() => undefined);
    if (bytes !== undefined) return bytes;
  }
  return undefined;
}
