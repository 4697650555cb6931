import type { ReactNode } from 'react';
import { SearchIcon } from '../ui/icons';
import { Menu, MenuItem } from '../ui/menu';
import { exportUrl } from './api';
import { DownloadIcon, ShareIcon } from './icons';

export interface ThreadMenuProps {
  trigger: ReactNode;
  conversationId: string;
  branch: string;
  onFind: () => void;
  onShare: () => void;
}

/** What can be done with a whole conversation. */
export function ThreadMenu({ trigger, conversationId, branch, onFind, onShare }: ThreadMenuProps): ReactNode {
  return (
    <Menu startsOpen trigger={trigger}>
      <MenuItem icon={<SearchIcon size={16} />} onSelect={onFind}>
        Find in it
      </MenuItem>
      <MenuItem icon={<ShareIcon size={16} />} onSelect={onShare}>
        Share
      </MenuItem>
      <MenuItem asChild>
        <a download href={exportUrl(conversationId, branch, 'markdown')}>
          <DownloadIcon size={16} /> Export as Markdown
        </a>
      </MenuItem>
      <MenuItem asChild>
        <a download href={exportUrl(conversationId, branch, 'json')}>
          <DownloadIcon size={16} /> Export as JSON
        </a>
      </MenuItem>
    </Menu>
  );
}
