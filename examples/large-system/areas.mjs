/** Five areas with lines between them. Shares are of the whole system, so that a smaller system has the same shape. */

/** `wettest` is a month from 0; `swing` says how much wetter it is than the mean. */
export const AREAS = [
  { name: "southeast", load: 0.54, water: 0.5, wettest: 1, swing: 0.6 },
  { name: "south", load: 0.17, water: 0.2, wettest: 8, swing: 0.25 },
  { name: "northeast", load: 0.15, water: 0.08, wettest: 2, swing: 0.6 },
  { name: "north", load: 0.08, water: 0.14, wettest: 3, swing: 0.75 },
  { name: "west", load: 0.06, water: 0.08, wettest: 1, swing: 0.55 },
];

/** The capacity is a share of the mean load of all areas. */
export const LINES = [
  { from: 0, to: 1, direct: 0.13, reverse: 0.11 },
  { from: 0, to: 2, direct: 0.08, reverse: 0.08 },
  { from: 0, to: 3, direct: 0.06, reverse: 0.13 },
  { from: 0, to: 4, direct: 0.06, reverse: 0.09 },
  { from: 3, to: 2, direct: 0.09, reverse: 0.05 },
  { from: 4, to: 3, direct: 0.03, reverse: 0.03 },
];

/** Divides a number of things among the areas by their shares; what is left over goes to the largest remainders. */
export function dealByShare(count, shareOf) {
  const total = AREAS.reduce((sum, area) => sum + shareOf(area), 0);
  const exact = AREAS.map((area) => (count * shareOf(area)) / total);
  const dealt = exact.map(Math.floor);
  const left = count - dealt.reduce((sum, number) => sum + number, 0);
  const byRemainder = exact
    .map((number, area) => ({ area, remainder: number - Math.floor(number) }))
    .sort((a, b) => b.remainder - a.remainder || a.area - b.area);
  for (const { area } of byRemainder.slice(0, left)) dealt[area]++;
  return dealt;
}
