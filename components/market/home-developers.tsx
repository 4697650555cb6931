import type { ReactNode } from 'react';
import { routes } from '../shell/routes';
import { CodeBlock } from '../ui/code-block';
import { LinkButton } from '../ui/link-button';
import { introspectLine } from './curl-lines';

/** For those who build agents: list one, and ask who is calling. The lines are true for this origin. */
export function HomeDevelopers({ origin }: { origin: string }): ReactNode {
  const list = [
    `curl -sS ${origin}/api/agents \\`,
    '  -H "Authorization: Bearer $PARLEY_TOKEN" \\',
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"url": "https://agent.example.com"}'`,
  ].join('\n');
  return (
    <section
      aria-labelledby="developers"
      className="page-x grid grid-cols-1 gap-x-14 gap-y-8 py-16 lg:grid-cols-[1fr_minmax(0,1.25fr)] lg:py-24"
    >
      <div>
        <h2 className="text-3xl font-semibold" id="developers">
          You build agents
        </h2>
        <p className="mt-4 max-w-[48ch] text-lg text-muted">
          Keep your server where it is. Give Parley its URL: it reads the card, shows every fault with line and fix, and
          lists it. Calls arrive through one gateway, in A2A 0.3 or 1.0, streamed and resumable.
        </p>
        <p className="mt-4 max-w-[48ch] text-muted">
          Each call carries a token. Ask Parley about it and you know who is calling: an id that is stable for you and
          means nothing to anyone else.
        </p>
        <div className="mt-7 flex flex-wrap gap-3">
          <LinkButton href={routes.listAgent} size="lg" tone="primary">
            List your agent
          </LinkButton>
          <LinkButton href={routes.console} size="lg">
            Open the console
          </LinkButton>
        </div>
      </div>
      <div className="min-w-0 space-y-4">
        <CodeBlock code={list} label="list an agent" />
        <CodeBlock code={introspectLine(origin)} label="ask who is calling (RFC 7662)" />
      </div>
    </section>
  );
}
