package io.millrace.path.peer;

/** Packets of transfers by write tokens that no implementation of the protocol would send. */
public final class MalformedWrites {
  private MalformedWrites() {}

  /** The malformed packet with this number, from 0 to 17; each packet has a single fault. */
  public static byte[] packet(int which, FarSide far, WriteFrames.Body body, int region, long key) {
    byte[] chunk = WriteFrames.chunk(region, 1, key, 0, 100);
    long id = body.transferId();
    long route = body.route();
    return switch (which) {
      case 0 -> far.chunkPacket(1, new byte[chunk.length], new byte[100]);
      case 1 -> far.packet(WriteFrames.notify(body, region, 1, key, 100, 16, 0));
      case 2 -> far.packet(WriteFrames.notify(body, region, 1, key, 100, 16, 15));
      case 3 -> far.packet(WriteFrames.notify(body, region, 1, key, 100, 16, 32));
      case 4 -> far.packet(WriteFrames.notify(body, region, 1, key, 100, 15, 16));
      case 5 -> far.packet(WriteFrames.notify(body, region, 1, key, 100, 33, 16));
      case 6 -> far.packet(WriteFrames.notify(body, region, 1, key, (1 << 20) + 1, 16, 272));
      case 7 ->
          far.packet(
              WriteFrames.notify(
                  new WriteFrames.Body(id, route, 100, 0, 8), region, 1, key, 100, 16, 16));
      case 8 ->
          far.packet(
              WriteFrames.notify(
                  new WriteFrames.Body(id, route, -1, 0x7FFF_FFFFL, 3),
                  region,
                  1,
                  key,
                  100,
                  16,
                  16));
      case 9 ->
          far.packet(
              WriteFrames.notify(
                  new WriteFrames.Body(id, route, 50, 51, 3), region, 1, key, 100, 16, 16));
      case 10 ->
          far.packet(
              WriteFrames.notify(
                  new WriteFrames.Body(id, route, -2, 0, 3), region, 1, key, 100, 16, 16));
      case 11 -> far.packet(WriteFrames.ack(1, 1, 1, 1, 200));
      case 12 -> far.packet(WriteFrames.reset(id, 0, 200));
      case 13 -> far.packet(WriteFrames.coveredChunk(region, 1, key, 0, 100, 99));
      case 14 -> far.packet(WriteFrames.coveredChunk(region, 1, key, 0, 0xFFFF_FFFFL, 100));
      case 15, 16 -> {
        int length = which == 15 ? 100 : 0;
        WriteFrames.Fill fill = new WriteFrames.Fill(region, 1, key, length);
        yield far.packet(WriteFrames.named(body, fill, which == 15 ? 0 : 1, 1));
      }
      default -> far.packet(WriteFrames.request(2, 8, 1, 1));
    };
  }
}
