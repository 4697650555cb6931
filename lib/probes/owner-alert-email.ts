import type { AgentRecord } from '../catalog';
import { env } from '../platform/runtime/env';
import { MAINTENANCE_AFTER_DAYS, MAX_ALERT_REASON_LENGTH, WITHHELD_AFTER_DAYS } from './limits';
import type { OwnerAlert } from './state-transitions';

interface OwnerAlertInput {
  agent: Pick<AgentRecord, 'slug'>;
  alertKind: OwnerAlert;
  /** The reason why the last probe failed. */
  reason: string;
}

/** The e-mail to an agent's owner about failed probes. */
export function ownerAlertEmail({ agent: { slug }, alertKind, reason }: OwnerAlertInput): {
  subject: string;
  lines: string[];
} {
  const { subject, body } = texts[alertKind];
  return {
    subject: `${slug} ${subject}`,
    lines: [
      ...body(slug),
      '',
      `Error: ${asciiOf(reason)}`,
      '',
      'Request and response of the failed check:',
      `${env().APP_URL}/console/agents/${slug}#probes`,
      'How checks and ranking work:',
      `${env().APP_URL}/ranking`,
    ],
  };
}

const escalationLines = [
  `After ${MAINTENANCE_AFTER_DAYS * 24} hours down, an agent is shown as under maintenance and ranks below all others.`,
  `After ${WITHHELD_AFTER_DAYS} days, it is removed from search; its page remains. One successful check restores it.`,
];

const texts: Record<OwnerAlert, { subject: string; body: (slug: string) => string[] }> = {
  down: {
    subject: 'is down',
    body: (slug) => [`Your agent ${slug} failed two checks in a row and is shown as down.`, ...escalationLines],
  },
  run: {
    subject: 'failed an example run',
    body: (slug) => [
      `Parley ran an example prompt from the card of your agent ${slug}, and the run failed. The agent is shown as degraded.`,
      'Parley runs the example again within hours.',
    ],
  },
  maintenance: {
    subject: 'is shown as under maintenance',
    body: (slug) => [
      `Your agent ${slug} has been down for ${MAINTENANCE_AFTER_DAYS * 24} hours and is now shown as under maintenance.`,
      ...escalationLines,
    ],
  },
  withheld: {
    subject: 'was removed from search',
    body: (slug) => [
      `Your agent ${slug} has been down for ${WITHHELD_AFTER_DAYS} days and was removed from search; its page remains.`,
      'It is now checked once a day. One successful check restores it.',
    ],
  },
};

function asciiOf(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, MAX_ALERT_REASON_LENGTH);
}
