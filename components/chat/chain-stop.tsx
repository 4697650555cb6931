import { useTranslations } from 'next-intl';
import { type ReactNode, useContext, useState } from 'react';
import type { ChainView } from '../../lib/tasks/schema-chains';
import { Button } from '../ui/controls/button';
import { StopIcon } from '../ui/display/action-icons';
import { LazyDialog } from '../ui/overlays/lazy';
import { ChainActionsContext } from './chain-actions';
import { ChainCostText } from './chain-cost';
import { losesPaidWork } from './chain-tree';

/** Stops all work of a chain; asks first only if paid work would be lost. */
export function ChainStop({ chain }: { chain: ChainView }): ReactNode {
  const t = useTranslations('chat.chainStop');
  const actions = useContext(ChainActionsContext);
  const [asking, setAsking] = useState(false);
  const [pending, setPending] = useState(false);
  if (!actions) return null;

  async function stop(): Promise<void> {
    setPending(true);
    setAsking(false);
    if (!(await actions?.stop(chain.rootTaskId))) setPending(false);
  }

  return (
    <>
      <Button
        icon={<StopIcon className="fill-current" size={13} />}
        onClick={() => (losesPaidWork(chain) ? setAsking(true) : void stop())}
        pending={pending}
        size="sm"
      >
        {t('stopAll')}
      </Button>
      {asking ? (
        <LazyDialog
          footer={
            <>
              <Button onClick={() => setAsking(false)}>{t('goOn')}</Button>
              <Button onClick={() => void stop()} tone="danger">
                {t('stopAll')}
              </Button>
            </>
          }
          onOpenChange={setAsking}
          title={t('title')}
        >
          <p>{t.rich('lost', { cost: () => <ChainCostText cost={chain.cost} /> })}</p>
        </LazyDialog>
      ) : null}
    </>
  );
}
