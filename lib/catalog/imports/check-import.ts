import { authorize } from '../../identity';
import type { Ctx } from '../../platform/context';
import { ParleyError } from '../../platform/errors';
import { type OwnsApp, registerAgent } from '../agents/register-agent';
import { previewAgent } from '../cards/lint-card';
import { cardInvalid } from '../errors';
import { IMPORT_CONCURRENCY } from '../limits';
import type {
  ImportCheckInput,
  ImportListInput,
  ImportOutcome,
  ImportOutcomes,
  ImportProblem,
  ImportVerdict,
  ImportVerdicts,
} from '../schema-imports';

/**
 * The result that listing each agent would have, by the same checks as for a single agent. Nothing is stored.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function checkImport({ ctx, input }: { ctx: Ctx; input: ImportCheckInput }): Promise<ImportVerdicts> {
  authorize(ctx.actor, { scope: 'agents:write' });
  return { results: await eachInTurn(input.agents, ({ url }) => checkOne(ctx, url)) };
}

async function checkOne(ctx: Ctx, url: string): Promise<ImportVerdict> {
  const nothing = { url, agent: null, otherOrigin: null, looksLike: null, warnings: 0 };
  try {
    const { card, faults, warnings, slug, looksLike, isListed, otherOrigin } = await previewAgent({
      ctx,
      input: { url },
    });
    if (!card) return { ...nothing, verdict: 'refused', problem: toProblem(cardInvalid(faults)) };
    const { name, description, skills } = card;
    return {
      url,
      verdict: isListed ? 'listed' : otherOrigin ? 'confirm' : 'ready',
      agent: { name, description, slug: isListed ? slug : null, skills: skills.length },
      ...{ otherOrigin, looksLike, warnings: warnings.length, problem: null },
    };
  } catch (error) {
    return { ...nothing, verdict: 'refused', problem: toProblem(error) };
  }
}

/**
 * Lists each agent as `registerAgent` does, independently of the others. Agents that the caller has listed already stay
 * as they are, so repeating it changes nothing.
 * @throws {ParleyError} `unauthenticated`, `insufficient_scope`
 */
export async function listImport({
  ctx,
  input,
  ownsApp,
}: {
  ctx: Ctx;
  input: ImportListInput;
  ownsApp: OwnsApp;
}): Promise<ImportOutcomes> {
  authorize(ctx.actor, { scope: 'agents:write' });
  const { agents, visibility, tags } = input;
  async function listOne({ url, confirmOrigin }: ImportListInput['agents'][number]): Promise<ImportOutcome> {
    try {
      const registration = { url, confirmOrigin, visibility, tags };
      const { agent, changed } = await registerAgent({ ctx, input: registration, ownsApp, keepsListed: true });
      const { slug, name } = agent;
      return { url, outcome: changed ? 'listed' : 'unchanged', agent: { slug, name }, problem: null };
    } catch (error) {
      return { url, outcome: 'refused', agent: null, problem: toProblem(error) };
    }
  }
  return { results: await eachInTurn(agents, listOne) };
}

/** @throws errors that a caller cannot act on */
function toProblem(error: unknown): ImportProblem {
  if (!(error instanceof ParleyError)) throw error;
  return { code: error.code, message: error.message };
}

/** The results in the order of the items, with {@link IMPORT_CONCURRENCY} under way at a time. */
async function eachInTurn<Item, Result>(items: Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  async function take(): Promise<void> {
    for (const [index, item] of queue) results[index] = await work(item);
  }
  await Promise.all(Array.from({ length: IMPORT_CONCURRENCY }, take));
  return results;
}
