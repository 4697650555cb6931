import { mount } from '@/lib/endpoints/mount';

export const GET = mount('GET', '/api/chat/conversations/:id/shares');
export const POST = mount('POST', '/api/chat/conversations/:id/shares');
