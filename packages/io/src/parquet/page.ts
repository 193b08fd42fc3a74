import type { CompressionCodec, Encoding } from "hyparquet";
import { Encodings, PageTypes } from "hyparquet/src/constants.js";
import { crc32 } from "./checksum.js";
import { countOf, demand, ParquetDamage } from "./damage.js";
import { ThriftReader, type ThriftStruct } from "./thrift.js";

/** A page of a column: its header, and its body as stored in the file. */
export interface Page {
  readonly kind: "dictionary" | "data" | "data-v2";
  readonly codec: CompressionCodec;
  readonly encoding: Encoding;
  /** Rows of a data page, nulls included; entries of a dictionary. */
  readonly values: number;
  /** Only in version 2: the nulls, the bytes of the definition levels, and whether the values are compressed. */
  readonly nulls: number;
  readonly levelBytes: number;
  readonly isCompressed: boolean;
  /** The bytes of the body after decompression. */
  readonly size: number;
  readonly body: Uint8Array;
  /** Where the header starts and the body ends in the file. */
  readonly start: number;
  readonly end: number;
}

/** No writer makes pages of this size; a damaged header may claim it. */
const MAX_PAGE = 2 ** 28;

/** The fields of a page header that are structs of their own. */
const HEADER = { data: 5, dictionary: 7, dataV2: 8 } as const;

/** Reads the page at `start`, which must end at or before `end`, and compares its checksum if it has one. */
export function readPage(
  file: Uint8Array,
  start: number,
  end: number,
  codec: CompressionCodec,
): Page {
  const reader = new ThriftReader(file, start, end);
  const header = reader.struct();
  const bodyStart = reader.position;
  const stored = countOf(header.get(3), end - bodyStart, "the size of a page");
  const size = countOf(header.get(2), MAX_PAGE, "the size of a page when decompressed");
  const body = file.subarray(bodyStart, bodyStart + stored);
  const crc = header.get(4);
  demand(crc === undefined || crc === crc32(body), "the checksum of a page is wrong");
  const place = { codec, size, body, start, end: bodyStart + stored };
  switch (PageTypes[header.get(1) as number]) {
    case "DATA_PAGE": {
      const fields = structOf(header, HEADER.data);
      demand(
        encodingOf(fields.get(3)) === "RLE",
        "the definition levels of a page are not run-length encoded",
      );
      const isCompressed = codec !== "UNCOMPRESSED";
      return { kind: "data", ...countsOf(fields, 2), ...place, isCompressed };
    }
    case "DATA_PAGE_V2": {
      const fields = structOf(header, HEADER.dataV2);
      const counts = countsOf(fields, 4);
      demand(
        countOf(fields.get(3), MAX_PAGE, "the rows of a page") === counts.values,
        "a page has other numbers of rows and values",
      );
      demand(fields.get(6) === 0, "a page has repeated values, which are not supported");
      return {
        kind: "data-v2",
        ...counts,
        ...place,
        nulls: countOf(fields.get(2), counts.values, "the nulls of a page"),
        levelBytes: countOf(fields.get(5), Math.min(stored, size), "the levels of a page"),
        isCompressed: codec !== "UNCOMPRESSED" && fields.get(7) !== false,
      };
    }
    case "DICTIONARY_PAGE": {
      const counts = countsOf(structOf(header, HEADER.dictionary), 2);
      demand(
        counts.encoding === "PLAIN" || counts.encoding === "PLAIN_DICTIONARY",
        `a dictionary has the encoding ${counts.encoding}`,
      );
      return { kind: "dictionary", ...counts, ...place, isCompressed: codec !== "UNCOMPRESSED" };
    }
    default:
      throw new ParquetDamage("a page has an unknown type");
  }
}

function structOf(header: ThriftStruct, id: number): ThriftStruct {
  const fields = header.get(id);
  demand(fields instanceof Map, "the header of a page is incomplete");
  const others = Object.values(HEADER).filter((other) => other !== id && header.has(other));
  demand(others.length === 0, "the header of a page is that of two kinds");
  return fields;
}

function countsOf(fields: ThriftStruct, encodingId: number) {
  return {
    values: countOf(fields.get(1), 2 ** 31, "the number of values of a page"),
    encoding: encodingOf(fields.get(encodingId)),
    nulls: 0,
    levelBytes: 0,
  };
}

function encodingOf(value: unknown): Encoding {
  const encoding = typeof value === "number" ? Encodings[value] : undefined;
  demand(encoding !== undefined, "a page has an unknown encoding");
  return encoding;
}
