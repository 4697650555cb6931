import { notFound } from 'next/navigation';

const missing = new Set<unknown>(['not_found', 'invalid_target', 'gone']);

/** The value, or the page for what is not there. Told by its code: errors of ours come from another bundle. */
export async function orNotFound<Value>(found: Promise<Value>): Promise<Value> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof Error && 'code' in error && missing.has(error.code)) notFound();
    throw error;
  }
}
