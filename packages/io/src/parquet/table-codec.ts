/** How the pages of a table are compressed. */
export type TableCodec = "SNAPPY" | "UNCOMPRESSED";
