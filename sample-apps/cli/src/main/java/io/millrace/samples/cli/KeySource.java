package io.millrace.samples.cli;

import io.millrace.samples.process.Checkout;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The source of a node's pre-shared key: {@code --psk-file}, the environment, or a file that only
 * this user can read. This file is made on first use, so that {@code serve} and {@code perf} of one
 * checkout meet without more ado. A key is never an argument: other users could see arguments.
 */
final class KeySource {
  static final String ENVIRONMENT = "MILLRACE_PSK";
  static final int KEY_BYTES = 32;

  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY_DIRECTORY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  @Option(
      names = "--psk-file",
      paramLabel = "FILE",
      description = {
        "With psk: a file with the key in hexadecimal, 64 digits or more.",
        "Without a file: the environment's MILLRACE_PSK, or a key of this checkout."
      })
  private @Nullable Path file;

  /** Returns whether the user named a key, which takes precedence over the configuration's key. */
  boolean isGiven() {
    return isFileGiven() || fromEnvironment() != null;
  }

  /** Returns whether the user named a file of this command. */
  boolean isFileGiven() {
    return file != null;
  }

  /**
   * Returns the key in hexadecimal.
   *
   * @throws CommandException if the file cannot be read or written
   */
  String hex() {
    if (file != null) {
      return read(file);
    }
    String environment = fromEnvironment();
    return environment != null
        ? checked(ENVIRONMENT, environment)
        : ofCheckout(Checkout.localDirectory().resolve("psk"));
  }

  static String random() {
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    return HexFormat.of().formatHex(key);
  }

  /** Returns the key in this file; makes the file with a random key if it is missing. */
  static String ofCheckout(Path path) {
    if (!Files.exists(path)) {
      create(path);
    }
    return read(path);
  }

  private static void create(Path path) {
    try {
      Path directory = path.toAbsolutePath().getParent();
      if (directory != null && !Files.isDirectory(directory)) {
        Files.createDirectories(directory, OWNER_ONLY_DIRECTORY);
      }
      Path fresh = Files.createTempFile(directory, "psk", ".new", OWNER_ONLY);
      try {
        Files.writeString(fresh, random() + "\n", StandardOpenOption.WRITE);
        // A link appears whole and fails if another process was first; then the other's key is
        // read.
        Files.createLink(path, fresh);
      } finally {
        Files.delete(fresh);
      }
    } catch (FileAlreadyExistsException e) {
      return;
    } catch (IOException e) {
      throw CommandException.failed(
          "cannot keep a key in '" + path + "' (" + Sentence.of(e) + "); give --psk-file");
    }
  }

  private static @Nullable String fromEnvironment() {
    return System.getenv(ENVIRONMENT);
  }

  private static String read(Path path) {
    try {
      return checked("'" + path + "'", Files.readString(path));
    } catch (IOException e) {
      throw CommandException.badArgument("the pre-shared key: " + Sentence.of(e));
    }
  }

  private static String checked(String source, String text) {
    String hex = text.strip();
    try {
      if (HexFormat.of().parseHex(hex).length >= KEY_BYTES) {
        return hex;
      }
    } catch (IllegalArgumentException e) {
      throw CommandException.badArgument(
          "the pre-shared key in " + source + " is not hexadecimal digits");
    }
    throw CommandException.badArgument(
        "the pre-shared key in " + source + " has fewer than 64 hexadecimal digits");
  }
}
