package io.millrace.samples.jmh;

import io.millrace.crypto.AeadAvailability;
import io.millrace.crypto.AeadKey;
import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.CipherUse;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.PacketCipher;
import io.millrace.memory.SegmentBuffer;
import io.millrace.wire.PacketHeader;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** AES-128-GCM over a packet in native memory, by each provider available here. */
@State(Scope.Thread)
public class SealBench {
  private static final int SPARE_BYTES = 1 << 16;

  /** The provider; the runner fills in the available providers. */
  @Param("jdk")
  public String provider;

  /** Bytes of the sealed body. */
  @Param({"64", "1344"})
  public int bodyBytes;

  private final SegmentBuffer packet =
      new SegmentBuffer(Arena.ofAuto().allocate(SPARE_BYTES, 64).asByteBuffer());
  private final SegmentBuffer sealed =
      new SegmentBuffer(Arena.ofAuto().allocate(SPARE_BYTES, 64).asByteBuffer());
  private final byte[] material = new byte[AesKeySize.AES_128.bytes() + AeadKey.IV_LENGTH];
  private PacketCipher sealer;
  private PacketCipher opener;
  private long packetNumber;

  /** Returns the names of the providers available here, the preferred first. */
  static List<String> available() {
    List<String> names = new ArrayList<>();
    for (AeadProvider each : AeadProviders.discover().all()) {
      if (each.probe() instanceof AeadAvailability.Available) {
        names.add(each.name());
      }
    }
    return names;
  }

  /**
   * Makes new ciphers, with limits that last for the iteration or are renewed within the iteration.
   */
  @Setup(Level.Iteration)
  public void open() {
    new SplittableRandom(1).nextBytes(material);
    sealer = cipher(CipherUse.SEAL);
    opener = cipher(CipherUse.OPEN);
    PacketHeader.encodeFixed(sealed, 0, 0, 0, 42);
    PacketHeader.encodeNumber(sealed, 0, 0, 0);
    try (PacketCipher once = cipher(CipherUse.SEAL)) {
      once.seal(sealed, 0, PacketHeader.LENGTH, bodyBytes, 0);
    }
    packetNumber = 0;
  }

  /** Releases the keys. */
  @TearDown(Level.Iteration)
  public void close() {
    sealer.close();
    opener.close();
  }

  /** Seals a packet; a key at its limit is replaced, as a worker does. */
  @Benchmark
  public long seal() {
    int bytes = PacketHeader.LENGTH + bodyBytes;
    if (!sealer.canSeal(bytes)) {
      sealer.close();
      // a new key in earnest; here the same bytes will do, for nobody reads the sealed packets
      sealer = cipher(CipherUse.SEAL);
      packetNumber = 0;
    }
    sealer.seal(packet, 0, PacketHeader.LENGTH, bodyBytes, packetNumber);
    return ++packetNumber;
  }

  /** Copies a sealed packet, as a driver does, and opens it. */
  @Benchmark
  public boolean copyAndOpen() {
    int bytes = PacketHeader.OVERHEAD + bodyBytes;
    packet.putBytes(0, sealed, 0, bytes);
    return opener.open(packet, 0, PacketHeader.LENGTH, bodyBytes, 0);
  }

  private PacketCipher cipher(CipherUse use) {
    try (AeadKey key = new AeadKey(material.clone())) {
      return AeadProviders.discover().named(provider).cipher(key, use, KeyLimits.DEFAULT);
    }
  }
}
