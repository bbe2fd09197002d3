package io.millrace.samples.cli;

import io.millrace.api.Transport;
import io.millrace.config.TransportSettings;
import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverException;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.SendBuffer;
import io.millrace.samples.served.ServedRoutes;
import io.millrace.testkit.internal.driver.ForwardingDriver;
import io.millrace.wire.PacketHeader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.util.ByteString;

/**
 * Two real nodes that talked to each other over loopback, and all packets of their workers. The
 * packets are in the view of a capture on the sender's side: a train in one piece.
 */
final class CapturedPair {
  /** The payload of the first call, short enough for a packet. */
  static final String PAYLOAD = "the wheel of the mill goes round";

  private static final long LIMIT_SECONDS = 30;
  private static final int LONG_PAYLOAD_BYTES = 400_000;
  private static final String SETTINGS =
      """
      millrace.transfers { buffer-pool = 4 MiB, buffer-pool-per-peer = 4 MiB, broadcast-pool = 1 MiB }
      millrace.regions.counts = [4, 2]
      millrace.recovery { probe-period = 5 s, fail-after = 20 s }
      millrace.handshake {
        provider = psk
        psk = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"
      }
      """;

  private static final int ETHERNET = 1;
  private static final int RAW = 101;
  private static final int IPV4_HEADER = 20;
  private static final int UDP_HEADER = 8;
  private static final int SNAP_LENGTH = 262_144;

  private final List<byte[]> trains = new ArrayList<>();
  private int packets;

  private CapturedPair() {}

  /** Lets the nodes talk; both write to this key log. */
  static CapturedPair of(Path keyLog) throws Exception {
    CapturedPair pair = new CapturedPair();
    String settings = SETTINGS + "millrace.handshake.key-log = \"" + keyLog + "\"\n";
    // Both nodes use the longer of the two wanted key sizes.
    String longer = settings + "millrace.crypto.key-bits = 256";
    DriverProvider driver = pair.new TappedDriver(best());
    try (Transport server = start(settings, driver);
        Transport client = start(longer, driver)) {
      ServedRoutes.serve(server);
      echo(client, server, ByteString.fromString(PAYLOAD));
      echo(client, server, ByteString.fromArray(new byte[LONG_PAYLOAD_BYTES]));
    }
    return pair;
  }

  private static Transport start(String settings, DriverProvider driver) {
    return Transport.builder(TransportSettings.parse(settings)).driver(driver).start();
  }

  private static void echo(Transport client, Transport server, ByteString payload)
      throws Exception {
    ByteString answer =
        client
            .peer(server.address())
            .unary(ServedRoutes.ECHO_EXECUTOR, payload)
            .get(LIMIT_SECONDS, TimeUnit.SECONDS);
    if (!answer.equals(payload)) {
      throw new AssertionError("another answer");
    }
  }

  private static DriverProvider best() {
    return ServiceLoader.load(DriverProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(driver -> driver.family().equals("udp"))
        .filter(driver -> driver.probe() instanceof DriverAvailability.Available)
        .max(Comparator.comparingInt(DriverProvider::preference))
        .orElseThrow();
  }

  /** Returns the number of sealed packets sent by the workers. */
  int packets() {
    return packets;
  }

  /** Writes a file like tcpdump's, of bare IP. */
  void writePcap(Path file) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    write(out, 0xA1B2C3D4, 2 | 4 << 16, 0, 0, SNAP_LENGTH, RAW);
    for (byte[] train : trains) {
      byte[] ip = ip(train);
      write(out, 1, 0, ip.length, ip.length);
      out.writeBytes(ip);
    }
    Files.write(file, out.toByteArray());
  }

  /** Writes a file like Wireshark's, of Ethernet. */
  void writePcapng(Path file) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    write(out, 0x0A0D0D0A, 28, 0x1A2B3C4D, 1, -1, -1, 28);
    write(out, 1, 20, ETHERNET, SNAP_LENGTH, 20);
    for (byte[] train : trains) {
      byte[] ip = ip(train);
      int captured = 14 + ip.length;
      int padded = captured + 3 & ~3;
      write(out, 6, 32 + padded, 0, 0, 1, captured, captured);
      out.writeBytes(new byte[] {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0});
      out.writeBytes(Arrays.copyOf(ip, padded - 14));
      write(out, 32 + padded);
    }
    Files.write(file, out.toByteArray());
  }

  private static void write(ByteArrayOutputStream out, int... numbers) {
    ByteBuffer bytes =
        ByteBuffer.allocate(numbers.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int number : numbers) {
      bytes.putInt(number);
    }
    out.writeBytes(bytes.array());
  }

  private static byte[] ip(byte[] payload) {
    int udp = UDP_HEADER + payload.length;
    return ByteBuffer.allocate(IPV4_HEADER + udp)
        .put((byte) 0x45)
        .put((byte) 0)
        .putShort((short) (IPV4_HEADER + udp))
        .putInt(0x4000)
        .putInt(0x4011_0000)
        .putInt(0x7F00_0001)
        .putInt(0x7F00_0001)
        .putShort((short) 7_401)
        .putShort((short) 7_402)
        .putShort((short) udp)
        .putShort((short) 0)
        .put(payload)
        .array();
  }

  private synchronized void onSend(SendBuffer buffer, int length, int segmentLength) {
    byte[] train = new byte[length];
    buffer.buffer().getBytes(0, train);
    trains.add(train);
    if (train[0] != PacketHeader.FORM_UNKNOWN) {
      packets += (length + segmentLength - 1) / segmentLength;
    }
  }

  /** The driver, with a copy of all posted packets. */
  private final class TappedDriver extends ForwardingDriver {
    TappedDriver(DriverProvider driver) {
      super(driver);
    }

    @Override
    public Endpoint open(EndpointSettings settings) throws DriverException {
      Endpoint endpoint = super.open(settings);
      return (Endpoint)
          Proxy.newProxyInstance(
              Endpoint.class.getClassLoader(),
              new Class<?>[] {Endpoint.class},
              (_, method, arguments) -> {
                if (method.getName().equals("postSend")) {
                  int last = arguments.length - 1;
                  onSend(
                      (SendBuffer) arguments[last - 3],
                      (int) arguments[last - 2],
                      (int) arguments[last - 1]);
                }
                try {
                  return method.invoke(endpoint, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }
  }
}
