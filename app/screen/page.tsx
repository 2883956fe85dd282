import { ScreenView } from '@/components/wall/screen-view';

export default function ScreenRoute() {
  return <ScreenView />;
}
