import type { Part } from '../../wire.js';
import { Skipped } from '../inputs.js';
import { objectsOf } from '../json-value.js';
import type { Reply } from '../probe/conversation.js';
import type { Subject } from '../subject.js';

/** A file that was sent, and the answer to it. */
export interface FileRun {
  sent: Part & { raw: string; filename: string };
  reply: Reply;
}

/** Small files of common types, base64: all byte values, one transparent pixel, and a table. */
const samples: Record<string, { extension: string; raw: () => string }> = {
  'application/octet-stream': {
    extension: 'bin',
    raw: () => btoa(String.fromCharCode(...Array.from({ length: 256 }, (_, byte) => byte))),
  },
  'image/png': {
    extension: 'png',
    raw: () => 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  },
  'text/csv': { extension: 'csv', raw: () => btoa('city,rain\nRome,800\nOslo,760\nCairo,20\n') },
};

/** Sends a file of a type that the card accepts. @throws {Skipped} if it accepts none of the samples */
export function runFile(subject: Subject): Promise<FileRun> {
  return subject.once('file', async () => {
    const channel = await subject.working();
    const card = await subject.card();
    const modes = [card.defaultInputModes, ...objectsOf(card.skills).map(({ inputModes }) => inputModes)];
    const accepted = new Set(modes.flatMap((list) => (Array.isArray(list) ? list : [])));
    const mediaType = Object.keys(samples).find((type) => accepted.has(type) || accepted.has('*/*'));
    const sample = samples[mediaType ?? ''];
    if (mediaType === undefined || !sample) {
      throw new Skipped(`The card accepts no file of the types ${Object.keys(samples).join(', ')}.`);
    }
    const sent = { raw: sample.raw(), filename: `parley-test.${sample.extension}`, mediaType };
    const { text } = await subject.first();
    const where = `message with a file of type ${mediaType}`;
    return { sent, reply: await subject.send(channel, { text, where, parts: [{ text }, sent] }) };
  });
}
