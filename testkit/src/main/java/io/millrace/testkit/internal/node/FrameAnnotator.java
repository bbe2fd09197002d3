package io.millrace.testkit.internal.node;

import io.millrace.testkit.internal.net.PacketNotes;

/** Reads the frames of packets before the sealing. */
final class FrameAnnotator implements CipherObserver {
  private final PacketNotes notes;

  FrameAnnotator(PacketNotes notes) {
    this.notes = notes;
  }

  @Override
  public void onRetirementSealed(PlainPacket packet) {
    onPacketSealed(packet);
  }

  @Override
  public void onPacketSealed(PlainPacket packet) {
    notes.onSealed(
        packet.key().life().node().number(),
        packet.buffer(),
        packet.offset(),
        packet.bodyOffset(),
        packet.bodyLength());
  }
}
