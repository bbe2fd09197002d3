package io.millrace.testkit.internal.net;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.driver.DriverException;
import io.millrace.testkit.internal.base.SimAddress;
import io.millrace.testkit.internal.driver.Node;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The capture follows its format, and tcpdump reads the capture. */
class PcapngCaptureTest {
  private static final int SECTION = 0x0A0D0D0A;
  private static final int PACKET = 6;

  private final ByteArrayOutputStream file = new ByteArrayOutputStream();

  private record Captured(int nic, long timeNs, byte[] frame, List<String> comments) {
    private int at(int offset) {
      return ByteBuffer.wrap(frame).order(BIG_ENDIAN).getShort(offset) & 0xFFFF;
    }
  }

  /** Captures four datagrams: an arrived datagram, a lost, a damaged and a doubled datagram. */
  private byte[] capture() throws DriverException {
    try (TestNetwork net = TestNetwork.clean();
        PcapngCapture capture = new PcapngCapture(file)) {
      net.network.observe(capture);
      List<Verdict> verdicts =
          List.of(Verdict.PASS, Verdict.DROP, Verdict.CORRUPT, Verdict.DUPLICATE);
      net.network.monitor(packet -> verdicts.get((int) packet.ordinal()));
      Node sender = net.open(new SimAddress(1, 0, 1_111), 1 << 20);
      Node receiver = net.open(new SimAddress(258, 3, 2_222), 1 << 20);
      net.send(sender, receiver, 4, 101);
      net.settle(receiver);
    }
    return file.toByteArray();
  }

  private static List<Captured> parse(byte[] bytes, List<String> nics) {
    List<Captured> captured = new ArrayList<>();
    ByteBuffer input = ByteBuffer.wrap(bytes).order(LITTLE_ENDIAN);
    while (input.hasRemaining()) {
      int start = input.position();
      int type = input.getInt();
      int length = input.getInt();
      assertEquals(0, length % 4);
      assertEquals(length, input.getInt(start + length - 4), "the length comes twice");
      ByteBuffer body = input.slice(start + 8, length - 12).order(LITTLE_ENDIAN);
      if (type == PACKET) {
        captured.add(packet(body));
      } else if (type == SECTION) {
        assertEquals(0, start, "one section");
        assertEquals(0x1A2B3C4D, body.getInt());
      } else {
        assertEquals(1, type);
        assertEquals(1, body.getShort(), "Ethernet");
        nics.add(options(body.position(8)).getFirst());
      }
      input.position(start + length);
    }
    return captured;
  }

  private static Captured packet(ByteBuffer body) {
    int nic = body.getInt();
    long timeNs = (long) body.getInt() << 32 | body.getInt() & 0xFFFF_FFFFL;
    byte[] frame = new byte[body.getInt()];
    assertEquals(frame.length, body.getInt());
    body.get(frame);
    List<String> comments = options(body.position(body.position() + 3 & ~3));
    return new Captured(nic, timeNs, frame, comments.subList(0, comments.size() - 1));
  }

  private static List<String> options(ByteBuffer body) {
    List<String> options = new ArrayList<>();
    int code = body.getShort();
    while (code != 0) {
      byte[] value = new byte[body.getShort()];
      body.get(value).position(body.position() + 3 & ~3);
      options.add(new String(value, StandardCharsets.UTF_8));
      code = body.getShort();
    }
    return options;
  }

  @Test
  void shouldTellWhatHappenedOnEachInterface() throws DriverException {
    List<String> nics = new ArrayList<>();
    List<Captured> captured = parse(capture(), nics);
    assertEquals(List.of("lost", "n1-0", "n258-3"), nics);
    assertEquals(List.of(4L, 4L, 1L), List.of(on(captured, 1), on(captured, 2), on(captured, 0)));
    List<List<String>> comments = captured.stream().map(Captured::comments).toList();
    assertTrue(comments.contains(List.of("lost: DIRECTED")), comments::toString);
    assertTrue(comments.contains(List.of("damaged")), comments::toString);
    assertTrue(comments.contains(List.of("second copy")), comments::toString);
    assertEquals(TestNetwork.DELAY_NS, captured.get(5).timeNs(), "the first arrival");
  }

  private static long on(List<Captured> captured, int nic) {
    return captured.stream().filter(packet -> packet.nic() == nic).count();
  }

  @Test
  void shouldMakeUpCorrectHeaders() throws DriverException {
    Captured first = parse(capture(), new ArrayList<>()).getFirst();
    assertEquals(42 + 101, first.frame().length);
    assertEquals(0x0800, first.at(12));
    assertEquals(20 + 8 + 101, first.at(16), "IP length");
    assertEquals(List.of(0x0A00, 1), List.of(first.at(26), first.at(28)), "from 10.0.0.1");
    assertEquals(List.of(0x0A03, 0x0102), List.of(first.at(30), first.at(32)), "to 10.3.1.2");
    assertEquals(List.of(1_111, 2_222, 109), List.of(first.at(34), first.at(36), first.at(38)));
    int sum = 0;
    for (int at = 14; at < 34; at += 2) {
      sum += first.at(at);
    }
    assertEquals(0xFFFF, (sum & 0xFFFF) + (sum >>> 16), "IP checksum");
  }

  @Test
  void shouldBeReadByTcpdump(@TempDir Path folder)
      throws DriverException, IOException, InterruptedException {
    Path tcpdump = Path.of("/usr/bin/tcpdump");
    assumeTrue(Files.isExecutable(tcpdump), "tcpdump is not installed: not read by it");
    Path written = Files.write(folder.resolve("run.pcapng"), capture());
    Process process =
        new ProcessBuilder(tcpdump.toString(), "-nn", "-tt", "-v", "-r", written.toString())
            .redirectErrorStream(true)
            .start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), text);
    assertEquals(
        9, text.split("10\\.0\\.0\\.1\\.1111 > 10\\.3\\.1\\.2\\.2222: UDP", -1).length - 1, text);
    assertTrue(text.contains("length 101"), text);
    assertTrue(!text.contains("bad"), text);
  }

  @Test
  void shouldSayWhenItCannotWrite() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("no space left");
          }
        };
    assertThrows(UncheckedIOException.class, () -> new PcapngCapture(full).close());
  }
}
