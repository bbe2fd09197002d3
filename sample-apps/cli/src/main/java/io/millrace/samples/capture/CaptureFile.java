package io.millrace.samples.capture;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies a capture, pcap or pcapng, and lets an editor change the payload of each UDP datagram in
 * place, without a change of its length. All other bytes stay as they are, checksums too. Holds a
 * single packet at a time. One thread.
 */
public final class CaptureFile {
  /** The most bytes of a packet or block; Wireshark reads no longer packets either. */
  private static final int MOST_BYTES = 256 * 1024;

  private static final FileAttribute<?>[] OWNER_ONLY = {
    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
  };

  private static final int PCAP_MICROS = 0xA1B2C3D4;
  private static final int PCAP_NANOS = 0xA1B23C4D;
  private static final int PCAP_REST = 20;
  private static final int PCAP_RECORD = 16;
  private static final int SECTION = 0x0A0D0D0A;
  private static final int SECTION_ORDER = 0x1A2B3C4D;
  private static final int INTERFACE = 1;
  private static final int SIMPLE_PACKET = 3;
  private static final int ENHANCED_PACKET = 6;
  private static final int MOST_INTERFACES = 1_024;

  /** Of a pcapng block: type, length, and the length again at its end. */
  private static final int BLOCK_FRAME = 12;

  /** Of an enhanced packet block, without the frame: interface, time and two lengths. */
  private static final int ENHANCED_HEAD = 20;

  /** Edits the payload of a datagram. */
  public interface PayloadEditor {
    /** May change the {@code length} bytes at {@code offset}, and nothing else. */
    void edit(byte[] bytes, int offset, int length);
  }

  private final DataInputStream in;
  private final OutputStream out;
  private final PayloadEditor editor;
  private final List<Integer> linkTypes = new ArrayList<>();
  private ByteOrder order = ByteOrder.BIG_ENDIAN;

  private CaptureFile(InputStream in, OutputStream out, PayloadEditor editor) {
    this.in = new DataInputStream(in);
    this.out = out;
    this.editor = editor;
  }

  /**
   * Copies {@code from} to {@code to}, which is replaced, and readable by its owner only.
   *
   * @throws IOException if a file cannot be read or written, or {@code from} is no capture
   */
  public static void copy(Path from, Path to, PayloadEditor editor) throws IOException {
    if (Files.exists(to) && Files.isSameFile(from, to)) {
      throw new IOException("'" + to + "' is the capture itself");
    }
    try (InputStream in = new BufferedInputStream(Files.newInputStream(from));
        OutputStream out = new BufferedOutputStream(create(to))) {
      new CaptureFile(in, out, editor).copy(from);
    }
  }

  private static OutputStream create(Path file) throws IOException {
    boolean isPosix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    Files.deleteIfExists(file);
    Files.createFile(file, isPosix ? OWNER_ONLY : new FileAttribute<?>[0]);
    return Files.newOutputStream(file);
  }

  private void copy(Path from) throws IOException {
    try {
      int magic = in.readInt();
      if (magic == SECTION) {
        copyBlocks(magic);
      } else {
        copyRecords(magic, from);
      }
    } catch (EOFException e) {
      throw new IOException("'" + from + "' ends within a packet or is no capture", e);
    }
  }

  private void copyRecords(int magic, Path from) throws IOException {
    if (isPcap(Integer.reverseBytes(magic))) {
      order = ByteOrder.LITTLE_ENDIAN;
    } else if (!isPcap(magic)) {
      throw new IOException("'" + from + "' is neither pcap nor pcapng");
    }
    byte[] head = read(PCAP_REST);
    out.write(ByteBuffer.allocate(Integer.BYTES).putInt(magic).array());
    out.write(head);
    int linkType = view(head).getInt(PCAP_REST - Integer.BYTES) & 0xFFFF;
    for (int next = in.read(); next >= 0; next = in.read()) {
      byte[] record = new byte[PCAP_RECORD];
      record[0] = (byte) next;
      in.readFully(record, 1, PCAP_RECORD - 1);
      byte[] packet = read(view(record).getInt(2 * Integer.BYTES));
      edit(packet, 0, packet.length, linkType);
      out.write(record);
      out.write(packet);
    }
  }

  private static boolean isPcap(int magic) {
    return magic == PCAP_MICROS || magic == PCAP_NANOS;
  }

  private void copyBlocks(int first) throws IOException {
    int type = first;
    while (true) {
      byte[] start = read(Integer.BYTES);
      byte[] known = new byte[0];
      if (type == SECTION) {
        known = read(Integer.BYTES);
        order =
            view(known).order(ByteOrder.BIG_ENDIAN).getInt(0) == SECTION_ORDER
                ? ByteOrder.BIG_ENDIAN
                : ByteOrder.LITTLE_ENDIAN;
        linkTypes.clear();
      }
      int length = view(start).getInt(0);
      byte[] body = read(length - BLOCK_FRAME - known.length + Integer.BYTES);
      onBlock(type, body);
      out.write(ByteBuffer.allocate(Integer.BYTES).order(order).putInt(type).array());
      out.write(start);
      out.write(known);
      out.write(body);
      int next = in.read();
      if (next < 0) {
        return;
      }
      byte[] typeBytes = new byte[Integer.BYTES];
      typeBytes[0] = (byte) next;
      in.readFully(typeBytes, 1, Integer.BYTES - 1);
      type = view(typeBytes).getInt(0);
    }
  }

  /** A body ends with the length of the block. */
  private void onBlock(int type, byte[] body) throws IOException {
    int packet = body.length - Integer.BYTES;
    if (type == INTERFACE && packet >= Integer.BYTES) {
      if (linkTypes.size() == MOST_INTERFACES) {
        throw new IOException("a capture of more than " + MOST_INTERFACES + " interfaces");
      }
      linkTypes.add(view(body).getShort(0) & 0xFFFF);
    } else if (type == ENHANCED_PACKET && packet >= ENHANCED_HEAD) {
      int from = view(body).getInt(0);
      int captured = view(body).getInt(3 * Integer.BYTES);
      if (from >= 0 && from < linkTypes.size()) {
        edit(body, ENHANCED_HEAD, Math.min(captured, packet - ENHANCED_HEAD), linkTypes.get(from));
      }
    } else if (type == SIMPLE_PACKET && packet > Integer.BYTES && !linkTypes.isEmpty()) {
      int captured = Math.min(view(body).getInt(0), packet - Integer.BYTES);
      edit(body, Integer.BYTES, captured, linkTypes.getFirst());
    }
  }

  private ByteBuffer view(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(order);
  }

  private byte[] read(int length) throws IOException {
    if (length < 0 || length > MOST_BYTES) {
      throw new IOException("a packet of " + length + " bytes: the capture is damaged");
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }

  private void edit(byte[] bytes, int offset, int length, int linkType) {
    LinkLayer.payloadOf(bytes, offset, length, linkType)
        .ifPresent(payload -> editor.edit(bytes, payload.offset(), payload.length()));
  }
}
