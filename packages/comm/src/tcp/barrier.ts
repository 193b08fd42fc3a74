import type { Group } from "./group.js";
import type { Link } from "./link.js";
import type { ShortMessages } from "./short.js";
import { TAG } from "./wire.js";

const nothing = () => 0;
const ignore = () => {};

/** All ranks meet in the open call: each tells all others, or they go through the coordinator. */
export function meet(group: Group, messages: ShortMessages): void {
  const { membership, rank, peers } = group;
  messages.compose(true, TAG.barrierReady, 0, 0);
  if (group.meetsDirectly) {
    for (const peer of peers) messages.sendTo(peer);
    messages.receive(peers, true, TAG.barrierReady, nothing, ignore);
  } else if (rank > 0) {
    const coordinator = membership.star[0] as Link;
    messages.sendTo(coordinator);
    messages.receive([coordinator], false, TAG.barrierGo, nothing, ignore);
  } else {
    messages.receive(membership.spokes, true, TAG.barrierReady, nothing, ignore);
    messages.compose(false, TAG.barrierGo, 0, 0);
    for (const link of membership.spokes) messages.sendTo(link);
  }
}
