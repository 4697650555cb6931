import { notFound } from 'next/navigation';
import { codeOf } from './code-of';

const missing = new Set<unknown>(['not_found', 'invalid_target', 'gone']);

/** The value, or the 404 page. Checks the error's code, because `instanceof` fails across bundles. */
export async function orNotFound<Value>(found: Promise<Value>): Promise<Value> {
  try {
    return await found;
  } catch (error) {
    if (missing.has(codeOf(error))) notFound();
    throw error;
  }
}
