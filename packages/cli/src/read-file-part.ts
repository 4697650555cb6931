import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Part } from '@parley/agent';
import { EXIT } from './exit-codes.js';
import { Failure } from './failure.js';

const mediaTypes: Record<string, string> = {
  '.csv': 'text/csv',
  '.gif': 'image/gif',
  '.html': 'text/html',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.tsv': 'text/tab-separated-values',
  '.txt': 'text/plain',
  '.webp': 'image/webp',
  '.xml': 'application/xml',
};

/** Reads a file as a message part. @throws {Failure} if it cannot be read */
export function readFilePart(file: string): Part {
  try {
    return {
      raw: readFileSync(file).toString('base64'),
      filename: path.basename(file),
      mediaType: mediaTypes[path.extname(file).toLowerCase()] ?? 'application/octet-stream',
    };
  } catch (error) {
    throw new Failure(EXIT.usage, `${file} could not be read: ${error instanceof Error ? error.message : error}`);
  }
}
