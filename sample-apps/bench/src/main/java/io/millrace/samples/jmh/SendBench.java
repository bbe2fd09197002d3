package io.millrace.samples.jmh;

import io.millrace.crypto.AeadKey;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.PacketCipher;
import io.millrace.crypto.Records;
import io.millrace.driver.Capabilities;
import io.millrace.driver.CompletionHandler;
import io.millrace.driver.DriverAvailability;
import io.millrace.driver.DriverException;
import io.millrace.driver.DriverProvider;
import io.millrace.driver.Endpoint;
import io.millrace.driver.EndpointSettings;
import io.millrace.driver.SendBuffer;
import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.PacketHeader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.ServiceLoader;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A sealed record of 64 KiB as packets of chunks through the UDP driver on loopback. A packet is a
 * sealed header with bytes of the record behind the header; trains are as long as the driver
 * allows. Another thread receives the packets and looks at nothing.
 */
@State(Scope.Thread)
public class SendBench implements CompletionHandler {
  private static final String FAMILY = "udp";
  private static final int POLL_LIMIT = 64;

  /** Bytes of a datagram. */
  @Param("8972")
  public int datagramBytes;

  private final byte[] record = new byte[Records.RECORD_BYTES];
  private final byte[] material = new byte[AesKeySize.AES_128.bytes() + AeadKey.IV_LENGTH];
  private Endpoint sender;
  private Thread receiver;
  private PacketCipher sealer;
  private int destination;
  private int trainPackets;
  private long packetNumber;

  /** Opens both ends. */
  @Setup(Level.Trial)
  public void open() throws DriverException {
    DriverProvider driver = driver();
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    sender = driver.open(EndpointSettings.defaults(any));
    Endpoint sink = driver.open(EndpointSettings.defaults(any));
    destination = sender.resolve(sink.localAddress());
    Capabilities limits = sender.capabilities();
    trainPackets = Math.min(limits.maxTrainPackets(), limits.maxTrainBytes() / datagramBytes);
    receiver = Thread.ofPlatform().daemon().start(() -> drain(sink));
  }

  private static DriverProvider driver() throws DriverException {
    return ServiceLoader.load(DriverProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(each -> each.family().equals(FAMILY))
        .filter(each -> each.probe() instanceof DriverAvailability.Available)
        .max(Comparator.comparingInt(DriverProvider::preference))
        .orElseThrow(() -> new DriverException("no UDP driver works here"));
  }

  private void drain(Endpoint sink) {
    while (!Thread.currentThread().isInterrupted()) {
      sink.poll(this, POLL_LIMIT);
    }
    sink.close();
  }

  /**
   * Makes a new key, with limits that last for the iteration or are renewed within the iteration.
   */
  @Setup(Level.Iteration)
  public void newKey() {
    new SplittableRandom(1).nextBytes(material);
    try (AeadKey key = new AeadKey(material.clone())) {
      sealer = AeadProviders.discover().select(0).cipher(key, CipherUse.SEAL, KeyLimits.DEFAULT);
    }
    packetNumber = 0;
  }

  /** Releases the key. */
  @TearDown(Level.Iteration)
  public void closeKey() {
    sealer.close();
  }

  /** Closes both ends. */
  @TearDown(Level.Trial)
  public void close() throws InterruptedException {
    receiver.interrupt();
    receiver.join();
    sender.close();
  }

  /** Sends a record. */
  @Benchmark
  public int send() {
    int sent = 0;
    while (sent < record.length) {
      sender.poll(this, POLL_LIMIT);
      SendBuffer buffer = sender.acquireSendBuffer();
      if (buffer != null) {
        sent += sendTrain(buffer, sent);
      }
    }
    return sent;
  }

  /** Sends as much of the record as fits a train. */
  private int sendTrain(SendBuffer buffer, int from) {
    int most = datagramBytes - PacketHeader.OVERHEAD - PacketHeader.CHUNK_LENGTH;
    SegmentBuffer into = buffer.buffer();
    int length = 0;
    int taken = 0;
    for (int i = 0; i < trainPackets && from + taken < record.length; i++) {
      int bytes = Math.min(most, record.length - from - taken);
      int body = length + PacketHeader.LENGTH;
      PacketHeader.encodeFixed(into, length, 0, 0, 42);
      PacketHeader.encodeChunks(into, length, 1);
      into.setMemory(body, PacketHeader.CHUNK_LENGTH, (byte) 1);
      seal(into, length);
      int payload = body + PacketHeader.CHUNK_LENGTH + PacketHeader.TAG_LENGTH;
      into.putBytes(payload, record, from + taken, bytes);
      length = payload + bytes;
      taken += bytes;
    }
    sender.postSend(destination, buffer, length, datagramBytes, 0);
    sender.flush();
    return taken;
  }

  private void seal(SegmentBuffer packet, int at) {
    if (!sealer.canSeal(PacketHeader.LENGTH + PacketHeader.CHUNK_LENGTH)) {
      sealer.close();
      newKey();
    }
    sealer.seal(packet, at, PacketHeader.LENGTH, PacketHeader.CHUNK_LENGTH, packetNumber++);
  }

  @Override
  public void onReceive(SegmentBuffer buffer, int offset, int length, int ecn) {
    // Nobody looks at the received bytes.
  }
}
