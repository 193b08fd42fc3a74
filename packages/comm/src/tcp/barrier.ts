import type { Group } from "./group.js";
import type { Link } from "./link.js";
import type { ShortMessages } from "./short.js";
import { TAG } from "./wire.js";

const nothing = () => 0;
const ignore = () => {};

/** Everybody meets, in the call that is open. With two ranks both speak at once. */
export function meet(group: Group, messages: ShortMessages): void {
  const { membership, rank, size } = group;
  messages.compose(true, TAG.barrierReady, 0, 0);
  if (size === 2) {
    const [other] = membership.links as [Link];
    messages.sendTo(other);
    messages.receive([other], true, TAG.barrierReady, nothing, ignore);
  } else if (rank > 0) {
    const coordinator = membership.star[0] as Link;
    messages.sendTo(coordinator);
    messages.receive([coordinator], false, TAG.barrierGo, nothing, ignore);
  } else {
    messages.receive(membership.links, true, TAG.barrierReady, nothing, ignore);
    messages.compose(false, TAG.barrierGo, 0, 0);
    for (const link of membership.links) messages.sendTo(link);
  }
}
