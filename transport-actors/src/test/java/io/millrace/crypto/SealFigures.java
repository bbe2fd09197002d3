package io.millrace.crypto;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Locale;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Prints what sealing and opening a packet costs with each provider that is available here: ns (the
 * median of many batches) and bytes of garbage per packet. A program, not a test.
 */
public final class SealFigures {
  private static final int[] BODIES = {64, 256, 1_400, 8_900};
  private static final int HEADER = 24;
  private static final int BATCHES = 61;
  private static final long BATCH_NS = 2_000_000;
  private static final long WARM_UP_NS = 600_000_000L;
  private static final int CHUNK = 200;

  private final AeadProvider provider;
  private final int body;
  private final UnsafeBuffer buffer;
  private final UnsafeBuffer sealed;
  private final PacketCipher opener;
  private final AeadKey key;
  private PacketCipher sealer;
  private long number;

  private SealFigures(AeadProvider provider, AesKeySize size, int body) {
    this.provider = provider;
    this.body = body;
    this.key = new AeadKey(new byte[size.bytes() + AeadKey.IV_LENGTH]);
    int length = HEADER + body + PacketCipher.TAG_LENGTH;
    this.buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(length));
    this.sealed = new UnsafeBuffer(ByteBuffer.allocateDirect(length));
    this.sealer = provider.cipher(key, CipherUse.SEAL, KeyLimits.DEFAULT);
    this.opener = provider.cipher(key, CipherUse.OPEN, KeyLimits.DEFAULT);
    try (PacketCipher once = provider.cipher(key, CipherUse.SEAL, KeyLimits.DEFAULT)) {
      once.seal(sealed, 0, HEADER, body, 1);
    }
  }

  private void seal() {
    for (int i = 0; i < CHUNK; i++) {
      sealer.seal(buffer, 0, HEADER, body, number++);
    }
    if (!sealer.canSeal(CHUNK * (HEADER + body)) || sealer.sealedPackets() > 8_000_000) {
      sealer.close();
      sealer = provider.cipher(key, CipherUse.SEAL, KeyLimits.DEFAULT);
    }
  }

  private void open() {
    for (int i = 0; i < CHUNK; i++) {
      buffer.putBytes(HEADER, sealed, HEADER, body + PacketCipher.TAG_LENGTH);
      if (!opener.open(buffer, 0, HEADER, body, 1)) {
        throw new AssertionError("a right packet was rejected");
      }
    }
  }

  private static String measure(Runnable work) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long warmUpEnd = System.nanoTime() + WARM_UP_NS;
    while (System.nanoTime() - warmUpEnd < 0) {
      work.run();
    }
    double[] nsPerPacket = new double[BATCHES];
    long packets = 0;
    long allocated = threads.getCurrentThreadAllocatedBytes();
    for (int batch = 0; batch < BATCHES; batch++) {
      long start = System.nanoTime();
      long end = start;
      int done = 0;
      while (end - start < BATCH_NS) {
        work.run();
        done += CHUNK;
        end = System.nanoTime();
      }
      packets += done;
      nsPerPacket[batch] = (double) (end - start) / done;
    }
    allocated = threads.getCurrentThreadAllocatedBytes() - allocated;
    Arrays.sort(nsPerPacket);
    return String.format(
        Locale.ROOT, "%7.0f ns %6.1f B", nsPerPacket[BATCHES / 2], (double) allocated / packets);
  }

  /** Runs every provider with AES-128, or AES-256 if that is an argument. */
  public static void main(String[] args) {
    AesKeySize size =
        Arrays.asList(args).contains("AES-256") ? AesKeySize.AES_256 : AesKeySize.AES_128;
    System.out.println("Per packet with " + HEADER + " bytes of header, " + size);
    System.out.println("Opening includes copying the sealed packet into place.");
    for (AeadProvider provider : AeadProviders.discover().all()) {
      System.out.println(provider.name() + ": " + provider.probe());
      if (provider.probe() instanceof AeadAvailability.Available) {
        for (int body : BODIES) {
          SealFigures figures = new SealFigures(provider, size, body);
          System.out.printf(
              Locale.ROOT,
              "  %5d B  seal %s   open %s%n",
              body,
              measure(figures::seal),
              measure(figures::open));
        }
      }
    }
  }
}
