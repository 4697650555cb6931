import { z } from 'zod';

interface RetentionRule {
  /** The default, days; 0 means no limit. */
  days: number;
  min: number;
  max: number;
  /** True if 0, which means no limit, is permitted. */
  canBeUnlimited: boolean;
}

/** The settings of `RETENTION_DAYS`, by kind. User content has no limit by default. */
export const retentionRules = {
  /** Conversations in the chat, after their last message. */
  chat: { days: 0, min: 1, max: 36_500, canBeUnlimited: true },
  /** Deleted conversations, until their content is erased: the user can restore them. */
  deleted: { days: 7, min: 1, max: 90, canBeUnlimited: false },
  /** Finished tasks outside of conversations, after their last event. */
  tasks: { days: 0, min: 1, max: 36_500, canBeUnlimited: true },
  /** Idempotency keys of sends. */
  sends: { days: 30, min: 1, max: 36_500, canBeUnlimited: true },
  /** Pushes that could not be delivered. */
  webhooks: { days: 90, min: 1, max: 36_500, canBeUnlimited: true },
  /** HTTP exchanges with agents, shown to the user. */
  http: { days: 30, min: 1, max: 3_650, canBeUnlimited: false },
  /** Hashes of turns of `/v1`. */
  transcripts: { days: 90, min: 1, max: 3_650, canBeUnlimited: false },
  /** The call log of an agent. */
  calls: { days: 7, min: 1, max: 365, canBeUnlimited: false },
  /**
   * Counts of an agent's calls per hour. The default covers the current day and the two periods of thirty days that are
   * compared.
   */
  figures: { days: 62, min: 62, max: 3_650, canBeUnlimited: false },
} as const satisfies Record<string, RetentionRule>;

export type RetentionKind = keyof typeof retentionRules;

/** Days per kind; null for no limit. */
export type Retention = Record<RetentionKind, number | null>;

const days = (what: string): z.ZodNullable<z.ZodInt> => z.int().nullable().describe(what);

/** The retention time of each kind of data, days; null for no limit. */
export const retentionSchema: z.ZodType<Retention> = z.object({
  chat: days('Conversations in the chat, after their last message'),
  deleted: days('Deleted conversations, which can be restored until then'),
  tasks: days('Finished tasks outside of conversations'),
  sends: days('Keys that detect repeated messages'),
  webhooks: days('Webhook deliveries that failed'),
  http: days('Logs of requests between Parley and agents'),
  transcripts: days('Turns of conversations on `/v1` that can be continued'),
  calls: days('Call logs of agents'),
  figures: days('Calls of agents per hour'),
});

const kinds = Object.keys(retentionRules) as RetentionKind[];
const entriesExpected = 'expected entries such as tasks=365,calls=7';

/**
 * Reads `RETENTION_DAYS`: comma-separated entries `kind=days`. Kinds that are not listed have their defaults. Adds an
 * issue for every invalid entry.
 */
export function parseRetention(value: string, context: z.core.$RefinementCtx<string>): Retention {
  const retention = Object.fromEntries(kinds.map((kind) => [kind, retentionRules[kind].days || null])) as Retention;
  const refuse = (message: string): void => {
    context.issues.push({ code: 'custom', message, input: value });
  };
  const named = new Set<string>();
  for (const entry of value.split(',').map((part) => part.trim())) {
    if (entry === '') continue;
    const [, kind = '', days = ''] = /^([a-z]+)\s*=\s*(\d{1,6})$/.exec(entry) ?? [];
    if (kind === '') refuse(`${entriesExpected}, not "${entry}"`);
    else if (!isKind(kind)) refuse(`"${kind}" is no kind; expected one of ${kinds.join(', ')}`);
    else if (named.has(kind)) refuse(`expected "${kind}" once`);
    else if (!isAllowed(kind, Number(days))) refuse(`${kind}: expected ${rangeOf(kind)}, not ${days}`);
    else retention[kind] = Number(days) || null;
    named.add(kind);
  }
  if (retention.tasks !== null && (retention.sends === null || retention.sends > retention.tasks)) {
    refuse(`sends: expected 1 to ${retention.tasks}, the days of tasks, because a key must not outlive its task`);
  }
  return retention;
}

function isKind(text: string): text is RetentionKind {
  return Object.hasOwn(retentionRules, text);
}

function isAllowed(kind: RetentionKind, days: number): boolean {
  const { min, max, canBeUnlimited }: RetentionRule = retentionRules[kind];
  return days === 0 ? canBeUnlimited : days >= min && days <= max;
}

function rangeOf(kind: RetentionKind): string {
  const { min, max, canBeUnlimited }: RetentionRule = retentionRules[kind];
  return `${min} to ${max} days${canBeUnlimited ? ', or 0 for no limit' : ''}`;
}
