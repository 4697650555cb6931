import type { ReactNode } from 'react';
import type { AgentConsole } from '@/lib/console/schema';
import type { MerchantView } from '@/lib/payments/schema';
import { AgentSettings } from './agent-settings';
import { ConsoleSection } from './console-section';
import { CredentialSettings } from './credential-settings';
import type { AppChoice } from './listing-fields';
import { MerchantForm } from './merchant-form';
import { NoticeForm } from './notice-form';
import { Ownership } from './ownership';
import { WithdrawAgent } from './withdraw-agent';

interface ManageAgentProps {
  found: AgentConsole;
  apps: AppChoice[];
  /** How it sells; null for everybody but its owner. */
  merchant: MerchantView | null;
}

/** What a developer of an agent's team can change, and what its owner alone can. */
export function ManageAgent({ found: { agent, ownership, credential }, apps, merchant }: ManageAgentProps): ReactNode {
  const { slug, appId } = agent;
  const isForeign = appId !== null && !apps.some(({ id }) => id === appId);
  const choices = isForeign ? [{ id: appId, name: 'The app of another member' }, ...apps] : apps;
  return (
    <>
      <ConsoleSection id="listing" title="Listing">
        <AgentSettings agent={agent} apps={choices} />
      </ConsoleSection>
      <ConsoleSection
        id="notice"
        lead="Tell people that it is being mended, what is new, or which agent takes its place."
        title="Notice"
      >
        <NoticeForm agent={agent} key={JSON.stringify(agent.notice)} />
      </ConsoleSection>
      {ownership ? (
        <ConsoleSection id="ownership" title="Verified owner">
          <Ownership ownership={ownership} slug={slug} />
        </ConsoleSection>
      ) : null}
      <ConsoleSection
        id="credential"
        lead="Parley’s own token always says who is calling. If your agent also wants a credential of its own, store it here: it is kept encrypted and sent with each call."
        title="Credential for calls"
      >
        <CredentialSettings credential={credential} slug={slug} />
      </ConsoleSection>
      {merchant ? (
        <ConsoleSection
          id="selling"
          lead="People pay the carts of your agent when they are signed. Say here whose signature counts."
          title="Selling"
        >
          <MerchantForm key={merchant.signing} merchant={merchant} slug={slug} />
        </ConsoleSection>
      ) : null}
      {agent.role === 'owner' ? (
        <ConsoleSection id="withdraw" lead="Take it off Parley. You can bring it back later." title="Withdraw">
          <WithdrawAgent name={agent.name} slug={slug} />
        </ConsoleSection>
      ) : null}
    </>
  );
}
