package io.millrace.testkit.internal.net;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes one block of a pcapng file at a time into an array. */
final class PcapngBlocks {
  private static final int SECTION = 0x0A0D0D0A;
  private static final int INTERFACE = 1;
  private static final int ENHANCED_PACKET = 6;
  private static final int BYTE_ORDER = 0x1A2B3C4D;
  private static final short VERSION = 1;
  private static final short ETHERNET = 1;
  private static final int END = 0;
  private static final int COMMENT = 1;
  private static final int FLAGS = 2;
  private static final int NAME = 2;
  private static final int APPLICATION = 4;
  private static final int TIME_RESOLUTION = 9;
  private static final byte NANOSECONDS = 9;
  private static final int ALIGNMENT = 4;
  private static final int MAX_TEXT = 1_024;
  private static final int ROOM = 1 << 18;
  private static final int MAX_COMMENTS = 64;

  private final ByteBuffer block = ByteBuffer.allocate(ROOM).order(LITTLE_ENDIAN);
  private final FrameHeaders headers = new FrameHeaders();

  byte[] array() {
    return block.array();
  }

  int length() {
    return block.position();
  }

  void section(String application) {
    begin(SECTION);
    block.putInt(BYTE_ORDER).putShort(VERSION).putShort((short) 0).putLong(-1);
    option(APPLICATION, application);
    end();
  }

  void nic(String name) {
    begin(INTERFACE);
    block.putShort(ETHERNET).putShort((short) 0).putInt(0);
    option(NAME, name);
    block.putShort((short) TIME_RESOLUTION).putShort((short) 1).put(NANOSECONDS);
    pad();
    end();
  }

  /** A datagram with headers; {@code direction} 1 in, 2 out, 0 unknown. */
  void packet(long number, long timeNs, PacketView packet, int direction, List<String> comments) {
    begin(ENHANCED_PACKET);
    int bytes = FrameHeaders.LENGTH + packet.length();
    block.putInt((int) number).putInt((int) (timeNs >>> Integer.SIZE)).putInt((int) timeNs);
    block.putInt(bytes).putInt(bytes);
    headers.put(block, packet);
    packet.bytes().getBytes(0, block, packet.length());
    pad();
    for (int i = 0; i < Math.min(MAX_COMMENTS, comments.size()); i++) {
      option(COMMENT, comments.get(i));
    }
    block.putShort((short) FLAGS).putShort((short) Integer.BYTES).putInt(direction);
    end();
  }

  private void begin(int type) {
    block.clear();
    block.putInt(type).putInt(0);
  }

  private void option(int code, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = Math.min(MAX_TEXT, bytes.length);
    block.putShort((short) code).putShort((short) length).put(bytes, 0, length);
    pad();
  }

  private void pad() {
    while (block.position() % ALIGNMENT != 0) {
      block.put((byte) 0);
    }
  }

  private void end() {
    block.putShort((short) END).putShort((short) 0);
    int length = block.position() + Integer.BYTES;
    block.putInt(length);
    block.putInt(Integer.BYTES, length);
  }
}
