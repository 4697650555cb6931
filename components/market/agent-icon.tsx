import type { ReactNode } from 'react';
import type { AgentSummary } from '@/lib/catalog/schema';
import { Avatar } from '../ui/avatar';

export interface AgentIconProps {
  agent: Pick<AgentSummary, 'slug' | 'name' | 'iconUrl'>;
  /** Edge length, CSS px. */
  size: number;
}

/** An agent's icon as Parley serves it, else its flag; decorative. */
export function AgentIcon({ agent, size }: AgentIconProps): ReactNode {
  const { slug, name, iconUrl } = agent;
  if (iconUrl === null) return <Avatar name={name} seed={slug} size={size} />;
  const { pathname, search } = new URL(iconUrl);
  return (
    <img
      alt=""
      className="shrink-0 rounded-[22%] bg-sunken object-cover"
      decoding="async"
      height={size}
      loading="lazy"
      src={`${pathname}${search}`}
      width={size}
    />
  );
}
