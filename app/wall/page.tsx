import { WallView } from '@/components/wall/wall-view';

export default function WallRoute() {
  return <WallView />;
}
