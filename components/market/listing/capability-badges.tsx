import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentStatus, Badge as Capability, Visibility } from '@/lib/catalog/schema';
import { Badge } from '../../ui/display/badge';
import { BellIcon, CartIcon, CheckIcon, type IconProps, ShieldIcon, StreamIcon } from '../../ui/display/icons';

const icons: Record<Capability | 'guests', (props: IconProps) => ReactNode> = {
  guests: CheckIcon,
  authenticated: ShieldIcon,
  payments: CartIcon,
  streaming: StreamIcon,
  'push-notifications': BellIcon,
  signed: ShieldIcon,
  verified: ShieldIcon,
};

/** The badges that matter to every user; the others are among the agent's facts. */
export const headerCapabilities: Capability[] = ['verified', 'payments'];

interface CapabilityBadgesProps {
  capabilities: Capability[];
  /** True to state that visitors without an account can try the agent. */
  isOpenToGuests?: boolean;
}

/** Badges of the card, the verified owner first, because it is more important than the capabilities. */
export function CapabilityBadges({ capabilities, isOpenToGuests = false }: CapabilityBadgesProps): ReactNode {
  const sorted = capabilities.toSorted((a, b) => Number(b === 'verified') - Number(a === 'verified'));
  return [...(isOpenToGuests ? (['guests'] as const) : []), ...sorted].map((capability) => (
    <CapabilityBadge capability={capability} key={capability} />
  ));
}

/** A capability of the card, or that visitors without an account can try the agent, as a badge with text. */
export function CapabilityBadge({ capability }: { capability: Capability | 'guests' }): ReactNode {
  const t = useTranslations('market.capability');
  const Icon = icons[capability];
  return (
    <span title={t(`${capability}.means`)}>
      <Badge icon={<Icon className="text-accent" size={14} />}>{t(`${capability}.text`)}</Badge>
    </span>
  );
}

/** Badges of a listing's status and visibility. Active public agents have none. */
export function ListingBadges({ status, visibility }: { status: AgentStatus; visibility: Visibility }): ReactNode {
  const t = useTranslations('market.capability.listing');
  return (
    <>
      {status === 'deprecated' ? <Badge tone="warn">{t('deprecated')}</Badge> : null}
      {status === 'suspended' ? <Badge tone="danger">{t('suspended')}</Badge> : null}
      {status === 'withdrawn' ? <Badge tone="danger">{t('withdrawn')}</Badge> : null}
      {visibility === 'unlisted' ? <Badge>{t('unlisted')}</Badge> : null}
      {visibility === 'private' ? <Badge>{t('private')}</Badge> : null}
    </>
  );
}

const words = {
  text: 'text',
  'text/plain': 'text',
  'text/markdown': 'markdown',
  'text/html': 'html',
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'sheet',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'document',
  'application/zip': 'zip',
  'application/octet-stream': 'anyFile',
  'image/*': 'image',
  'audio/*': 'audio',
  'video/*': 'video',
} as const;
const families = ['image', 'audio', 'video', 'text'] as const;

/** Returns a media type in plain words. */
function plainMode(mode: string, t: ReturnType<typeof useTranslations<'market.mediaModes'>>): string {
  const type = mode.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (isKnown(type)) return t(words[type]);
  const [start, form = ''] = type.split('/');
  const family = families.find((name) => name === start);
  return family ? t(`${family}Form`, { form: form.toUpperCase() }) : mode;
}

function isKnown(type: string): type is keyof typeof words {
  return Object.hasOwn(words, type);
}

/** Media types in plain words, each with the original as a tooltip. */
export function MediaModes({ modes }: { modes: string[] }): ReactNode {
  const t = useTranslations('market.mediaModes');
  if (modes.length === 0) return t('notStated');
  return modes.map((mode, index) => (
    <span key={mode}>
      {index > 0 ? ', ' : ''}
      <span title={mode}>{plainMode(mode, t)}</span>
    </span>
  ));
}
