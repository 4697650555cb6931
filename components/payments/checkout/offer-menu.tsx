import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { RetryIcon } from '../../ui/display/action-icons';
import { CloseIcon } from '../../ui/display/icons';
import { Menu, MenuItem } from '../../ui/overlays/menu';

export interface OfferMenuProps {
  trigger: ReactNode;
  onDecline: () => void;
  /** Absent if the agent does not wait for a reply. */
  onAskForOther?: (() => void) | undefined;
}

/** The other actions on an open offer, next to the payment. */
export function OfferMenu({ trigger, onDecline, onAskForOther }: OfferMenuProps): ReactNode {
  const t = useTranslations('payments.offerMenu');
  return (
    <Menu startsOpen trigger={trigger}>
      {onAskForOther ? (
        <MenuItem icon={<RetryIcon size={16} />} onSelect={onAskForOther}>
          {t('askForOther')}
        </MenuItem>
      ) : null}
      <MenuItem icon={<CloseIcon size={16} />} onSelect={onDecline}>
        {t('decline')}
      </MenuItem>
    </Menu>
  );
}
