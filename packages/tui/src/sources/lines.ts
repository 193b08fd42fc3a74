import { StringDecoder } from "node:string_decoder";
import { readEvent, type ToldEvent } from "../state/told-event.js";

/** Turns bytes into events, line by line. A line that is not whole yet waits for its rest. */
export class EventLines {
  /** How many lines were no events. */
  strange = 0;
  private readonly decoder = new StringDecoder("utf8");
  private rest = "";

  take(bytes: Buffer): ToldEvent[] {
    const lines = (this.rest + this.decoder.write(bytes)).split("\n");
    this.rest = lines.pop() ?? "";
    return lines.flatMap((text) => this.read(text));
  }

  /** The last line may have no end. */
  finish(): ToldEvent[] {
    const text = this.rest + this.decoder.end();
    this.rest = "";
    return this.read(text);
  }

  private read(text: string): ToldEvent[] {
    if (text.trim() === "") return [];
    const event = readEvent(text);
    if (event === undefined) this.strange++;
    return event === undefined ? [] : [event];
  }
}
