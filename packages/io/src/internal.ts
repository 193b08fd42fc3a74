/** The inner door: what tests and benchmarks need beyond the public one. No published package opens it. */
export { LATER_FIELDS } from "./later-fields.js";
export { crc32, portableCrc32 } from "./parquet/checksum.js";
export { countOf } from "./parquet/damage.js";
export { decodeData, decodeDictionary } from "./parquet/decode-page.js";
export { decodeTable } from "./parquet/decode-table.js";
export { encodeColumn } from "./parquet/encode-column.js";
export { type Page, readPage } from "./parquet/page.js";
export { type ColumnRule, readTable, type Table } from "./parquet/read-table.js";
export { RowGroupWriter } from "./parquet/row-group-writer.js";
export { checkRuns } from "./parquet/runs.js";
export { ThriftReader } from "./parquet/thrift.js";
export { unzstd } from "./parquet/zstd.js";
export { jsonFiles } from "./schema/case-schemas.js";
export { explore } from "./schema/explore.js";
export { schemaOf } from "./schema/json-schema.js";
export { meaningOf } from "./schema/meanings/index.js";
export { REFUSED_FILES } from "./unsupported-files.js";
