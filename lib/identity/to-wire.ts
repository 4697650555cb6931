import { describeUserAgent } from './describe-user-agent';
import { expiryOf } from './policy';
import type { PasskeyView, SessionView } from './schema';
import type { Passkey } from './store/passkeys';
import type { ListedSession } from './store/sessions';

export function toSessionView(session: ListedSession, currentId: string): SessionView {
  return {
    id: session.id,
    current: session.id === currentId,
    device: describeUserAgent(session.userAgent),
    address: session.address,
    signedInAt: session.signedInAt.toISOString(),
    lastSeenAt: session.lastSeenAt.toISOString(),
    expiresAt: expiryOf(session).toISOString(),
  };
}

export function toPasskeyView({ id, name, createdAt, lastUsedAt }: Passkey): PasskeyView {
  return { id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null };
}
