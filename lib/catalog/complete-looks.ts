import { inTransaction } from '../platform/tx';
import { lookOf } from './look';
import { selectWithoutLook, writeLook } from './store/looks';

const perRound = 1_000;

/** Notes how listings look that are older than looks are kept: without one, nothing can be mistaken for them. */
export async function completeLooks(): Promise<void> {
  const agents = await selectWithoutLook(perRound);
  if (agents.length === 0) return;
  await inTransaction(async (tx) => {
    for (const { id, name, slug } of agents) await writeLook(tx, id, { name: lookOf(name), slug: lookOf(slug) });
  });
}
