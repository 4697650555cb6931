import type { ReactNode } from 'react';
import type { AgentStatus, Badge as Capability, Visibility } from '@/lib/catalog/schema';
import { Badge } from '../ui/badge';
import { BellIcon, CartIcon, type IconProps, ShieldIcon, StreamIcon } from '../ui/icons';

interface CapabilityWords {
  text: string;
  means: string;
  icon: (props: IconProps) => ReactNode;
}

/** What each badge says, and what it means in a sentence. */
export const capabilities: Record<Capability, CapabilityWords> = {
  authenticated: {
    text: 'Checks callers',
    means: 'Its card asks for a credential: it answers nobody it does not know.',
    icon: ShieldIcon,
  },
  payments: {
    text: 'Takes payments',
    means: 'It can send you a cart. Nothing is paid unless you approve it.',
    icon: CartIcon,
  },
  streaming: {
    text: 'Streams',
    means: 'Its answer appears while it is being written.',
    icon: StreamIcon,
  },
  'push-notifications': {
    text: 'Sends updates',
    means: 'It can report on long tasks after the connection has ended.',
    icon: BellIcon,
  },
  signed: {
    text: 'Signed card',
    means: 'Its card carries a signature that its own server’s keys prove.',
    icon: ShieldIcon,
  },
  verified: {
    text: 'Verified owner',
    means: 'Whoever listed it has proved that the host it runs on is theirs.',
    icon: ShieldIcon,
  },
};

/** A promise of the card, as a badge with text. */
export function CapabilityBadge({ capability }: { capability: Capability }): ReactNode {
  const { text, means, icon: Icon } = capabilities[capability];
  return (
    <span title={means}>
      <Badge icon={<Icon className="text-accent" size={14} />}>{text}</Badge>
    </span>
  );
}

/** What is special about a listing: nothing for active public agents. */
export function ListingBadges({ status, visibility }: { status: AgentStatus; visibility: Visibility }): ReactNode {
  return (
    <>
      {status === 'deprecated' ? <Badge tone="warn">Deprecated</Badge> : null}
      {status === 'suspended' ? <Badge tone="danger">Suspended</Badge> : null}
      {status === 'withdrawn' ? <Badge tone="danger">Withdrawn</Badge> : null}
      {visibility === 'unlisted' ? <Badge>Unlisted</Badge> : null}
      {visibility === 'private' ? <Badge>Private</Badge> : null}
    </>
  );
}
