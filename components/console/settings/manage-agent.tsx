import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentConsole } from '@/lib/console/schema-agents';
import type { Fees } from '@/lib/payments/schema-income';
import type { MerchantView } from '@/lib/payments/schema-merchants';
import { DEFAULT_QUEUE_SECONDS } from '@/lib/tasks/limits';
import { FeeNote } from '../../payments/offers/fee-text';
import { agentTeamPath } from '../../routes';
import { LinkButton } from '../../ui/controls/button';
import { ConsoleSection } from '../../ui/display/card';
import type { AppChoice } from '../agents/listing-fields';
import { WithdrawAgent } from '../agents/withdraw-agent';
import { AgentSettings, RequireApproval } from './agent-settings';
import { CredentialSettings } from './credential-settings';
import { GuestForm } from './guest-form';
import { ListingNoticeForm } from './listing-notice-form';
import { MerchantForm } from './merchant-form';
import { Ownership } from './ownership';
import { PlanForm } from './plan-form';
import { PriceForm } from './price-form';
import { QueueForm } from './queue-form';

interface ManageAgentProps {
  found: AgentConsole;
  /** Messages of visitors without an account in the last 24 hours. */
  guestMessages: number;
  apps: AppChoice[];
  /** The merchant settings; null for all users except the owner. */
  merchant: MerchantView | null;
  fees: Fees;
}

/** Settings for the agent's team, and settings only for its owner. */
export function ManageAgent({
  found: { agent, ownership, credential, callLimits, skills, pricePlans, x402 },
  guestMessages,
  apps,
  merchant,
  fees,
}: ManageAgentProps): ReactNode {
  const t = useTranslations('console.manageAgent');
  const { slug, appId } = agent;
  const isOtherUsersApp = appId !== null && !apps.some(({ id }) => id === appId);
  const choices = isOtherUsersApp ? [{ id: appId, name: t('foreignApp') }, ...apps] : apps;
  return (
    <div className="max-w-3xl [&>section:first-child]:mt-8">
      <ConsoleSection id="listing" title={t('listing')}>
        <AgentSettings agent={agent} apps={choices} />
      </ConsoleSection>
      <ConsoleSection id="notice" lead={t('noticeLead')} title={t('notice')}>
        <ListingNoticeForm agent={agent} />
      </ConsoleSection>
      <ConsoleSection id="plan" lead={t('planLead')} title={t('plan')}>
        <PlanForm plans={pricePlans} slug={slug} x402={x402} />
      </ConsoleSection>
      {skills.length > 0 ? (
        <ConsoleSection id="prices" lead={t('pricesLead')} title={t('prices')}>
          <div className="mb-5">
            <FeeNote fees={fees} />
          </div>
          <PriceForm skills={skills} slug={slug} />
        </ConsoleSection>
      ) : null}
      <ConsoleSection id="guests" lead={t('guestsLead')} title={t('guests')}>
        <GuestForm callLimits={callLimits} sent={guestMessages} slug={slug} />
      </ConsoleSection>
      <ConsoleSection id="cards" title={t('cards')}>
        <RequireApproval holds={agent.holdsCards} slug={slug} />
      </ConsoleSection>
      {ownership ? (
        <ConsoleSection id="ownership" title={t('ownership')}>
          <Ownership ownership={ownership} slug={slug} />
        </ConsoleSection>
      ) : null}
      {agent.connection === 'hub' ? (
        <ConsoleSection id="queue" lead={t('queueLead')} title={t('queue')}>
          <QueueForm callLimits={callLimits} defaultSeconds={DEFAULT_QUEUE_SECONDS} slug={slug} />
        </ConsoleSection>
      ) : (
        <ConsoleSection id="credential" lead={t('credentialLead')} title={t('credential')}>
          <CredentialSettings credential={credential} slug={slug} />
        </ConsoleSection>
      )}
      {merchant ? (
        <ConsoleSection id="selling" lead={t('sellingLead')} title={t('selling')}>
          <MerchantForm key={merchant.signing} merchant={merchant} slug={slug} />
        </ConsoleSection>
      ) : null}
      {agent.role === 'owner' ? (
        <>
          <ConsoleSection id="transfer" lead={t('transferLead')} title={t('transfer')}>
            <LinkButton href={agentTeamPath(slug)}>{t('transferOpen')}</LinkButton>
          </ConsoleSection>
          <ConsoleSection id="withdraw" lead={t('withdrawLead')} title={t('withdraw')}>
            <WithdrawAgent name={agent.name} slug={slug} />
          </ConsoleSection>
        </>
      ) : null}
    </div>
  );
}
