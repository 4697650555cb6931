const rowsPerChunk = 500;

/** Encodes big-endian integers of 4 bytes. @param {...number} values */
export function ints(...values) {
  const buffer = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) buffer.writeInt32BE(value, at * 4);
  return buffer;
}

/** Encodes a `smallint`. @param {number} value */
export function int2(value) {
  const buffer = Buffer.alloc(2);
  buffer.writeInt16BE(value);
  return buffer;
}

/**
 * Runs COPY in the binary format, for which the driver has no function.
 *
 * @param {import('pg').Client} client
 * @param {{ target: string, rows: Buffer[][] }} copy `target` is a table and its columns; the rows are encoded as sent
 * @returns {Promise<void>}
 */
export async function copyRows(client, { target, rows }) {
  await new Promise((resolve, reject) => {
    let failure;
    client.query({
      submit: (connection) => connection.query(`COPY ${target} FROM STDIN WITH (FORMAT binary)`),
      async handleCopyInResponse(connection) {
        connection.sendCopyFromChunk(Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), ints(0, 0)]));
        for (let from = 0; from < rows.length; from += rowsPerChunk) {
          const chunk = rows.slice(from, from + rowsPerChunk).map(encode);
          connection.sendCopyFromChunk(Buffer.concat(chunk));
          if (connection.stream.writableNeedDrain) await new Promise((go) => connection.stream.once('drain', go));
        }
        connection.sendCopyFromChunk(int2(-1));
        connection.endCopyFrom();
      },
      handleCommandComplete: () => undefined,
      handleReadyForQuery: () => (failure ? reject(failure) : resolve()),
      handleError(error) {
        failure = error;
        reject(error);
      },
    });
  });
}

function encode(columns) {
  return Buffer.concat([int2(columns.length), ...columns.flatMap((column) => [ints(column.length), column])]);
}
