import { EmbeddingsError } from '../embedder';
import { MAX_DIMENSIONS } from '../limits';

const expected = 'Expected the format of an OpenAI-compatible endpoint.';

/**
 * The vectors of a response in the order of the texts, normalized.
 * @param dimensions the length that every vector must have; undefined before the first answer
 * @throws {EmbeddingsError} `invalid_response`, without any part of the answer
 */
export function parseVectors(body: string, count: number, dimensions: number | undefined): Float32Array[] {
  const data = dataOf(body);
  if (data.length !== count) throw invalid(`It has ${data.length} vectors for ${count} texts.`);
  const vectors: (Float32Array | undefined)[] = new Array(count).fill(undefined);
  for (const [position, item] of data.entries()) {
    const index = indexOf(item, position);
    if (index >= count || vectors[index]) throw invalid('Its indexes are not those of the texts.');
    vectors[index] = vectorOf(item, dimensions ?? vectors.find(Boolean)?.length);
  }
  return vectors.filter((vector) => vector !== undefined);
}

function dataOf(body: string): unknown[] {
  const parsed = parseJson(body);
  const data = isRecord(parsed) ? parsed.data : undefined;
  if (!Array.isArray(data)) throw invalid(`It has no list "data". ${expected}`);
  return data;
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw invalid(`It is not JSON. ${expected}`);
  }
}

/** The text that a vector belongs to; without `index`, the order applies. */
function indexOf(item: unknown, position: number): number {
  const index = isRecord(item) ? (item.index ?? position) : position;
  if (typeof index !== 'number' || !Number.isInteger(index) || index < 0) throw invalid('An index is not a number.');
  return index;
}

function vectorOf(item: unknown, length: number | undefined): Float32Array {
  const numbers = isRecord(item) ? item.embedding : undefined;
  if (typeof numbers === 'string')
    throw invalid('Its vectors are text, such as base64, although floats were requested.');
  if (!Array.isArray(numbers) || numbers.length === 0) throw invalid(`A vector is missing. ${expected}`);
  if (numbers.length > MAX_DIMENSIONS)
    throw invalid(`A vector has ${numbers.length} numbers, above ${MAX_DIMENSIONS}.`);
  if (length !== undefined && numbers.length !== length) {
    throw invalid(`A vector has ${numbers.length} numbers instead of ${length}.`);
  }
  return normalize(numbers);
}

function normalize(numbers: unknown[]): Float32Array {
  const vector = new Float32Array(numbers.length);
  let squares = 0;
  for (const [at, value] of numbers.entries()) {
    if (typeof value !== 'number') throw invalid('A vector has an element that is not a number.');
    vector[at] = value;
    squares += value * value;
  }
  const norm = Math.sqrt(squares);
  // JSON can state numbers beyond the range of doubles, which become infinite.
  if (!Number.isFinite(norm) || norm < Number.EPSILON) throw invalid('A vector is zero or not finite.');
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] ?? 0) / norm;
  return vector;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(why: string): EmbeddingsError {
  return new EmbeddingsError('invalid_response', `The embeddings provider returned an invalid response. ${why}`);
}
