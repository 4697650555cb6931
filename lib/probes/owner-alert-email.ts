import type { AgentRecord } from '../catalog';
import { env } from '../platform/env';
import { MAINTENANCE_AFTER_DAYS, MAX_ALERT_REASON_LENGTH, WITHHELD_AFTER_DAYS } from './limits';
import type { OwnerAlert } from './state-transitions';

interface OwnerAlertInput {
  agent: Pick<AgentRecord, 'slug'>;
  alertKind: OwnerAlert;
  /** Why the last probe failed. */
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
      `What failed: ${asciiOf(reason)}`,
      '',
      'The request and the answer behind it:',
      `${env().APP_URL}/console/agents/${slug}#probes`,
      'How agents are checked and ranked:',
      `${env().APP_URL}/ranking`,
    ],
  };
}

const escalationLines = [
  `An agent that is down for ${MAINTENANCE_AFTER_DAYS * 24} hours is shown as under maintenance and ranks below all others.`,
  `After ${WITHHELD_AFTER_DAYS} days it is left out of search; its page stays. One good check and it stands as before.`,
];

const texts: Record<OwnerAlert, { subject: string; body: (slug: string) => string[] }> = {
  down: {
    subject: 'does not answer',
    body: (slug) => [`Your agent ${slug} did not answer two checks in a row and is shown as down.`, ...escalationLines],
  },
  run: {
    subject: 'failed the example of a skill',
    body: (slug) => [
      `Parley had your agent ${slug} do the example of one of its skills, and that failed. It is shown as degraded.`,
      'The example is tried again within hours.',
    ],
  },
  maintenance: {
    subject: 'is shown as under maintenance',
    body: (slug) => [
      `Your agent ${slug} has been down for ${MAINTENANCE_AFTER_DAYS * 24} hours. From now on it is shown as under maintenance.`,
      ...escalationLines,
    ],
  },
  withheld: {
    subject: 'leaves search',
    body: (slug) => [
      `Your agent ${slug} has been down for ${WITHHELD_AFTER_DAYS} days. From now on it is left out of search; its page stays.`,
      'It is checked once a day now. As soon as it answers a check it is back where it was.',
    ],
  },
};

function asciiOf(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[^\x20-\x7e]/g, '?')
    .slice(0, MAX_ALERT_REASON_LENGTH);
}
