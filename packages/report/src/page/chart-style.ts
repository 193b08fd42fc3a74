/** The look of the drawings. The script puts it into an SVG that is downloaded, too. */
export const CHART_STYLE = `/* charts */
.tick, .unit, .note { font: 11px system-ui, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif; fill: var(--axis); font-variant-numeric: tabular-nums }
.saved { font: 12px system-ui, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif; fill: var(--text) }
.saved.title { font-size: 14px; font-weight: 600 }
.note { stroke: var(--page); stroke-width: 3; paint-order: stroke }
.tick.y, .unit:not([text-anchor]) { text-anchor: end }
.tick.x { text-anchor: middle }
.grid { stroke: var(--grid); fill: none }
.grid.zero, .mark { stroke: var(--axis); stroke-opacity: .55; fill: none }
.hydro { --c: var(--hydro) } .water { --c: var(--water) } .price { --c: var(--price) } .flow { --c: var(--flow) }
.source { --c: var(--source) } .import { --c: var(--import) } .thermal { --c: var(--thermal) } .deficit { --c: var(--deficit) } .after { --c: var(--after) }
.thermal0 { --c: var(--thermal0) } .thermal1 { --c: var(--thermal1) } .thermal2 { --c: var(--thermal2) } .thermal3 { --c: var(--thermal3) }
.other0 { --c: var(--other0) } .other1 { --c: var(--other1) } .other2 { --c: var(--other2) }
.other3 { --c: var(--other3) } .other4 { --c: var(--other4) } .other5 { --c: var(--other5) }
.solving { --c: var(--solving) } .waiting { --c: var(--waiting) } .moving { --c: var(--moving) } .rest { --c: var(--rest) }
.forward { --c: var(--forward) } .count { --c: var(--flow) } .mean { --c: var(--text) }
g[class] { fill: var(--c) } rect[class] { fill: var(--c) }
.ribbon { fill: var(--c); stroke: none }
.r0 { fill-opacity: .14 } .r1 { fill-opacity: .22 } .r2 { fill-opacity: .4 }
.median { fill: none; stroke: var(--c); stroke-width: 1.8; stroke-linejoin: round }
.limit { fill: none; stroke: var(--axis); stroke-width: 1; stroke-dasharray: 4 3 }
.load { fill: none; stroke: var(--text); stroke-width: 1.5 }
.bound { fill: none; stroke: var(--bound); stroke-width: 2.2 }
.simulated { fill: none; stroke: var(--text); stroke-width: 1.3; stroke-dasharray: 6 4 }
.point { fill: var(--c); fill-opacity: .85 }
.beyond { fill: var(--c); fill-opacity: .7 }
.interval { fill: var(--c); fill-opacity: .16 }
.interval-mean { stroke: var(--c); stroke-width: 1.5; fill: none }
.count { fill-opacity: .55 }
.at { fill: none; stroke: var(--axis); stroke-dasharray: 3 3 }
.at.mean { stroke: var(--text); stroke-dasharray: none; stroke-width: 1.5 }
.usual { --c: var(--water); fill-opacity: .14 } .range { --c: var(--hydro) } .unusual { --c: var(--thermal) }
.cuts { fill: none; stroke: var(--axis); stroke-opacity: .55 }
.value { fill: none; stroke: var(--water); stroke-width: 2.2; stroke-linejoin: round }
.visited { fill: none; stroke: var(--text); stroke-dasharray: 2 3 }
.path { fill: none; stroke-width: 2.4; stroke-linejoin: round; paint-order: stroke }
.path.a { stroke: var(--path-a) } .path.b { stroke: var(--path-b); stroke-dasharray: 7 3 }
.cursor { stroke: var(--axis); fill: none }
.faded .ribbon, .faded .median { opacity: .6 }
/* charts */`;
