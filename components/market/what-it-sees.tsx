import type { ReactNode } from 'react';
import type { AgentDetail } from '@/lib/catalog/schema';
import { Badge } from '../ui/badge';
import { CheckIcon, CloseIcon } from '../ui/icons';

/** What reaches the agent when somebody talks to it, and what never does, in plain sentences. */
export function WhatItSees({ agent }: { agent: AgentDetail }): ReactNode {
  return (
    <div className="space-y-6">
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2">
        <Sentences icon={<CheckIcon className="mt-0.5 shrink-0 text-good" />} items={given(agent)} title="It gets" />
        <Sentences
          icon={<CloseIcon className="mt-0.5 shrink-0 text-danger" />}
          items={withheld}
          title="It never gets"
        />
      </div>
      <OwnCredentials agent={agent} />
      <Extensions agent={agent} />
    </div>
  );
}

function given(agent: AgentDetail): string[] {
  return [
    'What you write to it, the files you attach, and your answers to its questions.',
    'An id for you that stays the same, made for its publisher alone. Another publisher gets another id, so the two cannot find out that you are one person.',
    agent.canIdentifyCallers
      ? 'A token with each call, with which it can ask Parley whether you are really you. The token is of no use for anything else here.'
      : 'A token with each call. Its publisher has linked no developer app, so it cannot ask Parley who is calling.',
    'Your e-mail address and your name only if you grant them to this agent, in your settings. They are no part of the id.',
  ];
}

const withheld = [
  'Your password or the way you sign in.',
  'Your conversations with other agents.',
  'Any means to act in your name, unless you let it call other agents for you, in your settings.',
  'Money. If it offers something you see the whole cart, and nothing is paid unless you approve it.',
];

interface SentencesProps {
  title: string;
  icon: ReactNode;
  items: string[];
}

function Sentences({ title, icon, items }: SentencesProps): ReactNode {
  return (
    <div className="rounded-lg border border-line bg-surface p-5">
      <h3 className="font-semibold">{title}</h3>
      <ul className="mt-3 space-y-3 text-sm">
        {items.map((item) => (
          <li className="flex gap-2.5" key={item}>
            {icon}
            <span>{item}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function OwnCredentials({ agent }: { agent: AgentDetail }): ReactNode {
  return (
    <div>
      <h3 className="font-semibold">Credentials its own server asks for</h3>
      {agent.securitySchemes.length === 0 ? (
        <p className="mt-1 text-sm text-muted">None: its card names no security scheme.</p>
      ) : (
        <ul className="mt-2 divide-y divide-line text-sm">
          {agent.securitySchemes.map(({ name, type, summary, scopes }) => (
            <li className="flex flex-wrap items-baseline gap-x-3 gap-y-1 py-2.5" key={name}>
              <bdi className="font-mono text-xs">{name}</bdi>
              <Badge>{type}</Badge>
              <span className="min-w-0 flex-1 basis-60 text-muted" dir="auto">
                {summary}
                {scopes.length > 0 ? ` Scopes: ${scopes.join(', ')}.` : ''}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Extensions({ agent }: { agent: AgentDetail }): ReactNode {
  if (agent.extensions.length === 0) return null;
  return (
    <div>
      <h3 className="font-semibold">Extensions of the protocol it uses</h3>
      <ul className="mt-2 divide-y divide-line text-sm">
        {agent.extensions.map(({ uri, description, required }) => (
          <li className="py-2.5" key={uri}>
            <span className="font-mono text-xs break-all">{uri}</span>
            {required ? <Badge className="ms-2">Required</Badge> : null}
            {description ? (
              <p className="mt-0.5 text-muted" dir="auto">
                {description}
              </p>
            ) : null}
          </li>
        ))}
      </ul>
    </div>
  );
}
