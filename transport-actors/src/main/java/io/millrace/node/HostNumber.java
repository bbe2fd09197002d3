package io.millrace.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * A number for the host of this process. A host is a set of network addresses: one boot of a
 * machine, and there one network namespace. The number is a part of a hash, so that peers do not
 * learn the identity of the boot. Control plane: reads files.
 */
public final class HostNumber {
  /** The system does not tell its host. */
  public static final long UNKNOWN = 0;

  private final Path root;

  /**
   * For tests; everybody else uses {@link #ofThisProcess()}.
   *
   * @param root the root of the machine's files, or an imitation of the root
   */
  HostNumber(Path root) {
    this.root = root;
  }

  /** The number of this process's host, or {@link #UNKNOWN}. */
  public static long ofThisProcess() {
    return new HostNumber(Path.of("/")).number();
  }

  long number() {
    try {
      String boot = Files.readString(root.resolve("proc/sys/kernel/random/boot_id")).strip();
      String network = Files.readSymbolicLink(root.resolve("proc/self/ns/net")).toString();
      byte[] signs = ("millrace host " + boot + " " + network).getBytes(StandardCharsets.UTF_8);
      return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(signs)).getLong();
    } catch (IOException | UnsupportedOperationException e) {
      return UNKNOWN;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each JVM has SHA-256", e);
    }
  }
}
