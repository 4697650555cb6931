import { mount } from '@/lib/endpoints/mount';

export const GET = mount('GET', '/api/chat/conversations/:id/shares/preview');
