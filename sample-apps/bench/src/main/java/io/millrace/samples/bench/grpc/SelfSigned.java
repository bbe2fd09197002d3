package io.millrace.samples.bench.grpc;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A certificate for localhost that is valid for a day, made by the JDK's keytool.
 *
 * @param certificate the certificate, PEM
 * @param key the private key of the certificate, PEM (PKCS 8)
 */
public record SelfSigned(Path certificate, Path key) {
  private static final String PASSWORD = "for-one-run";
  private static final String ALIAS = "bench";
  private static final long KEYTOOL_SECONDS = 30;

  /** Makes a certificate in {@code directory}. */
  public static SelfSigned make(Path directory) throws IOException, InterruptedException {
    Path store = directory.resolve("bench.p12");
    keytool(store);
    try {
      KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
      if (!(keys.getKey(ALIAS, PASSWORD.toCharArray()) instanceof PrivateKey key)) {
        throw new IOException("keytool made no private key");
      }
      return new SelfSigned(
          pem(
              directory.resolve("cert.pem"),
              "CERTIFICATE",
              keys.getCertificate(ALIAS).getEncoded()),
          pem(directory.resolve("key.pem"), "PRIVATE KEY", key.getEncoded()));
    } catch (GeneralSecurityException e) {
      throw new IOException("the key store that keytool made cannot be read", e);
    }
  }

  private static void keytool(Path store) throws IOException, InterruptedException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            ALIAS,
            "-keyalg",
            "EC",
            "-groupname",
            "secp256r1",
            "-dname",
            "CN=localhost",
            "-ext",
            "SAN=dns:localhost,ip:127.0.0.1",
            "-validity",
            "1",
            "-storetype",
            "PKCS12",
            "-storepass",
            PASSWORD,
            "-keystore",
            store.toString());
    Process keytool =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!keytool.waitFor(KEYTOOL_SECONDS, TimeUnit.SECONDS)) {
      keytool.destroyForcibly();
      throw new IOException("keytool did not end");
    }
    if (keytool.exitValue() != 0) {
      throw new IOException("keytool failed with exit code " + keytool.exitValue());
    }
  }

  private static Path pem(Path file, String type, byte[] der) throws IOException {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    String text = "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n";
    return Files.writeString(file, text, StandardCharsets.US_ASCII);
  }
}
