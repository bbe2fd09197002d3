package io.millrace.samples.jmh;

import io.millrace.crypto.AeadProvider;
import io.millrace.crypto.AeadProviders;
import io.millrace.crypto.AesKeySize;
import io.millrace.crypto.DataKeys;
import io.millrace.crypto.KeyLimits;
import io.millrace.crypto.RecordOpener;
import io.millrace.crypto.RecordRange;
import io.millrace.crypto.RecordSealer;
import io.millrace.crypto.Records;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** AES-128-GCM over a record in heap arrays, with a warm schedule, by each provider. */
@State(Scope.Thread)
public class RecordBench {
  private static final int MAX_KEYS = 16;

  /** The provider; the runner fills in the available providers. */
  @Param("jdk")
  public String provider;

  /** Bytes of plaintext. */
  @Param({"1024", "8192", "65536"})
  public int recordBytes;

  private final byte[] plain = new byte[Records.RECORD_BYTES];
  private final byte[] sealed = new byte[Records.RECORD_BYTES + Records.TAG_BYTES];
  private final byte[] opened = new byte[Records.RECORD_BYTES];
  private final byte[] toOpen = new byte[Records.RECORD_BYTES + Records.TAG_BYTES];
  private DataKeys keys;
  private RecordSealer sealer;
  private RecordOpener opener;
  private byte[] dataKey;
  private final byte[] toVerify = new byte[Records.RECORD_BYTES + Records.TAG_BYTES];
  private long nonce;
  private long clearNonce;

  /** Makes a key and a record to open. */
  @Setup(Level.Iteration)
  public void prepare() {
    AeadProvider aead = AeadProviders.discover().named(provider);
    // known keys will do: nobody reads the sealed records
    keys =
        new DataKeys(
            AesKeySize.AES_128, KeyLimits.DEFAULT, MAX_KEYS, Long.MAX_VALUE, new Random(1));
    sealer = new RecordSealer(aead, MAX_KEYS);
    opener = new RecordOpener(aead, MAX_KEYS, Long.MAX_VALUE);
    try (RecordRange range = keys.reserve(this, 2)) {
      dataKey = range.dataKey();
      nonce = sealer.seal(range, plain, 0, recordBytes, toOpen, 0);
      clearNonce = sealer.seal(range, plain, 0, recordBytes, 0, toVerify, 0);
    }
  }

  /** Releases the keys. */
  @TearDown(Level.Iteration)
  public void close() {
    sealer.close();
    opener.close();
    keys.close();
  }

  /** Reserves a nonce and seals a record. */
  @Benchmark
  public long seal() {
    try (RecordRange range = keys.reserve(this, 1)) {
      return sealer.seal(range, plain, 0, recordBytes, sealed, 0);
    }
  }

  /** Finds the schedule by the bytes of the key and opens a record. */
  @Benchmark
  public boolean open() {
    return opener.open(dataKey, nonce, toOpen, 0, recordBytes, opened, 0);
  }

  /** Reserves a nonce and authenticates a record without enciphering. */
  @Benchmark
  public long authenticate() {
    try (RecordRange range = keys.reserve(this, 1)) {
      return sealer.seal(range, plain, 0, recordBytes, 0, sealed, 0);
    }
  }

  /** Checks a record without enciphered bytes. */
  @Benchmark
  public boolean verify() {
    return opener.open(dataKey, clearNonce, toVerify, 0, recordBytes, 0, opened);
  }

  /** Uses a key of its own for a record: the cost of a schedule. */
  @Benchmark
  public long sealWithFreshKey() {
    try (RecordRange range = keys.fresh(1)) {
      return sealer.seal(range, plain, 0, recordBytes, sealed, 0);
    }
  }
}
