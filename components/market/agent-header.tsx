import Link from 'next/link';
import type { ReactNode } from 'react';
import type { AgentDetail } from '@/lib/catalog/schema';
import { newChatPath, routes } from '../shell/routes';
import { Alert } from '../ui/alert';
import { Avatar } from '../ui/avatar';
import { ArrowRightIcon } from '../ui/icons';
import { LinkButton } from '../ui/link-button';
import { CapabilityBadge, ListingBadges } from './capability';
import { catalogueHref, readCatalogueQuery } from './catalogue-url';

/** Who the agent is, what its card promises, and the way to talk to it. */
export function AgentHeader({ agent }: { agent: AgentDetail }): ReactNode {
  const callable = agent.status === 'active' || agent.status === 'deprecated';
  return (
    <header>
      <Link
        className="inline-flex min-h-8 items-center gap-1.5 text-sm text-muted hover:text-ink hover:underline touch:min-h-11"
        href={routes.catalogue}
        prefetch={false}
      >
        <ArrowRightIcon className="rotate-180" size={15} />
        All agents
      </Link>
      <div className="mt-3 flex flex-wrap items-start gap-x-5 gap-y-4">
        <Avatar name={agent.name} seed={agent.slug} size={72} />
        <div className="min-w-0 flex-1 basis-64">
          <h1 className="text-3xl font-semibold" dir="auto">
            {agent.name}
          </h1>
          <p className="mt-1 text-muted">
            by <bdi className="text-ink">{agent.publisher.name}</bdi>
            <span aria-hidden="true"> · </span>
            <span className="font-mono text-sm">{agent.slug}</span>
          </p>
        </div>
        {callable ? (
          <LinkButton className="max-sm:w-full" href={newChatPath(agent.slug)} size="lg" tone="primary">
            Chat
          </LinkButton>
        ) : null}
      </div>
      <div className="mt-5 flex flex-wrap gap-1.5">
        <ListingBadges status={agent.status} visibility={agent.visibility} />
        {agent.badges.map((capability) => (
          <CapabilityBadge capability={capability} key={capability} />
        ))}
      </div>
      <TagLinks tags={agent.tags} />
      <StatusNote agent={agent} />
    </header>
  );
}

function TagLinks({ tags }: { tags: string[] }): ReactNode {
  if (tags.length === 0) return null;
  return (
    <ul aria-label="Tags" className="mt-3 flex flex-wrap gap-x-3 text-sm">
      {tags.map((tag) => (
        <li key={tag}>
          <Link
            className="inline-flex min-h-6 items-center text-muted hover:text-accent hover:underline touch:min-h-11"
            href={catalogueHref(readCatalogueQuery({ tag }))}
            prefetch={false}
          >
            <bdi>#{tag}</bdi>
          </Link>
        </li>
      ))}
    </ul>
  );
}

const notes = {
  deprecated: {
    tone: 'warn',
    title: 'The publisher has deprecated this agent',
    text: 'It still answers, but it is no longer looked after. Look for another one before you depend on it.',
  },
  suspended: {
    tone: 'danger',
    title: 'This agent is suspended',
    text: 'Calls to it are refused until the suspension ends. Only its owner sees this page.',
  },
  withdrawn: {
    tone: 'danger',
    title: 'This agent was withdrawn',
    text: 'Its owner took it off Parley. Calls to it are refused.',
  },
} as const;

function StatusNote({ agent }: { agent: AgentDetail }): ReactNode {
  if (agent.status === 'active') return null;
  const { tone, title, text } = notes[agent.status];
  return (
    <Alert className="mt-5" title={title} tone={tone}>
      {text}
    </Alert>
  );
}
