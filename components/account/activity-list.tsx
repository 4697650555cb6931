import Link from 'next/link';
import type { ReactNode } from 'react';
import type { ActivityView } from '@/lib/account/schema';
import { agentPath } from '../shell/routes';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { Moment } from '../ui/moment';
import { scopeLabel } from './scopes';

type AuditEvent = ActivityView['event'];

/** What happened, in a few words. Signing keys are not any person's. */
const titles: Record<Exclude<AuditEvent, 'key.added' | 'key.removed'>, string> = {
  'session.started': 'Signed in',
  'session.ended': 'Session ended',
  'password.changed': 'Password changed',
  'password.reset': 'New password set by a link in a mail',
  'token.created': 'Access token created',
  'token.revoked': 'Access token revoked',
  'device.allowed': 'Device let in',
  'device.denied': 'Device turned away',
  'grant.set': 'Permissions of an agent changed',
  'grant.removed': 'Agent disconnected',
  'app.created': 'App created',
  'secret.created': 'App secret added',
  'secret.ended': 'App secret set to end',
  'secret.removed': 'App secret removed',
  'agent.listed': 'Agent listed',
  'agent.changed': 'Agent changed',
  'agent.withdrawn': 'Agent withdrawn',
  'agent.suspended': 'Agent taken off Parley by moderation',
  'agent.restored': 'Agent restored by moderation',
  'moderation.reported': 'Something reported',
  'moderation.decided': 'Report decided as a moderator',
  'moderation.appealed': 'Appeal against a decision',
  'agent.transferred': 'Agent handed to another owner',
  'team.invited': 'Person invited to the team of an agent',
  'team.uninvited': 'Invitation to a team taken back or declined',
  'team.joined': 'Person joined the team of an agent',
  'team.changed': 'Role in the team of an agent changed',
  'team.left': 'Person left the team of an agent',
  'account.exported': 'Data downloaded',
  'account.deleted': 'Account deleted',
  'passkey.added': 'Passkey added',
  'passkey.removed': 'Passkey removed',
  'merchant.changed': 'Selling by an agent changed',
  'payment.approved': 'Payment approved',
  'payment.declined': 'Payment declined',
  'payment.limit': 'Passkey limit of payments changed',
};

const ways: Record<string, string> = {
  password: 'With your password',
  'sign-up': 'With the link of your sign-up',
  'mail-link': 'With a link in a mail',
  reset: 'With a new password',
  github: 'Through GitHub',
  google: 'Through Google',
  oidc: 'Through your provider',
};

const ends: Record<string, string> = {
  'signed-out': 'Signed out there',
  ended: 'Ended from the settings',
  'new-password': 'The password changed',
  replaced: 'Replaced by a new sign-in in the same browser',
};

/** What the audit log tells of a person, an entry a row. */
export function ActivityList({ entries }: { entries: ActivityView[] }): ReactNode {
  if (entries.length === 0) {
    return <EmptyState title="Nothing yet">What happens to your account from now on stands here.</EmptyState>;
  }
  return (
    <Card>
      <ul className="divide-y divide-line">
        {entries.map((entry) => (
          <ActivityRow entry={entry} key={entry.id} />
        ))}
      </ul>
    </Card>
  );
}

function ActivityRow({ entry }: { entry: ActivityView }): ReactNode {
  const { at, event, object, agent, place } = entry;
  const told = toldBy(entry);
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-5 py-4">
      <div className="min-w-0 space-y-0.5">
        <p className="font-medium">
          {event in titles ? titles[event as keyof typeof titles] : event}
          {agent ? (
            <>
              {': '}
              <Link className="text-link break-words" href={agentPath(agent.slug)} prefetch={false}>
                <bdi>{agent.name}</bdi>
              </Link>
            </>
          ) : null}
        </p>
        {told ? <p className="text-sm break-words text-muted">{told}</p> : null}
        {place ? (
          <p className="text-sm text-muted">
            {place.device}, <span className="font-mono">{place.address}</span>
          </p>
        ) : null}
        {object && !agent ? <p className="font-mono text-xs break-all text-muted">{object}</p> : null}
      </div>
      <p className="text-sm text-muted">
        <Moment at={at} />
      </p>
    </li>
  );
}

/** What there is to say beyond the title. */
function toldBy({ event, detail }: ActivityView): ReactNode {
  switch (event) {
    case 'session.started':
      return ways[detail] ?? null;
    case 'session.ended':
      return ends[detail] ?? null;
    case 'token.created':
      return detail.split(' ').map(scopeLabel).join(' · ');
    case 'grant.set':
      return detail === '' ? 'Nothing beyond being called' : detail.split(' ').map(grantLabel).join(' · ');
    case 'agent.changed':
      return detail.split(' ').map(memberLabel).join(' · ');
    case 'secret.ended':
      return (
        <>
          Works until <Moment at={detail} />
        </>
      );
    default:
      return null;
  }
}

function grantLabel(scope: string): string {
  return (
    { email: 'May see your e-mail address', profile: 'May see your name', delegate: 'May act for you' }[scope] ?? scope
  );
}

function memberLabel(member: string): string {
  return (
    { appId: 'App', callLimits: 'Limits of calls' }[member] ?? `${member.charAt(0).toUpperCase()}${member.slice(1)}`
  );
}
