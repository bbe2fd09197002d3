package io.millrace.handshake.certificates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** PEM files in the forms of practice: by hand, from openssl, from issuing tools. */
final class PemFormsTest {
  private final TestCertificates root = new TestCertificates("root");
  private final TestCertificates middle = root.subordinate("middle");
  private final TestCertificates low = middle.subordinate("low");
  private final TestCertificates.Issued leaf = low.issue("leaf", "127.0.0.1");
  private final String certificate = TestCertificates.pem(leaf.certificate());
  private final String chain =
      TestCertificates.pem(low.certificate()) + TestCertificates.pem(middle.certificate());
  private final String key = TestCertificates.pem(leaf.keys());
  @TempDir private Path folder;
  private Path authorities;

  @BeforeEach
  void writeAuthorities() throws Exception {
    authorities = file("authorities.pem", TestCertificates.pem(root.certificate()));
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private NodeCertificates read(Path certificates, Path privateKey) throws Exception {
    return CertificateCredentials.load(
            new CertificateFiles(authorities, certificates, privateKey, null), PeerNames.NONE)
        .current(_ -> {});
  }

  private String problem(CertificateFiles.Role role, Path certificates, Path privateKey) {
    CertificateFileException e =
        assertThrows(CertificateFileException.class, () -> read(certificates, privateKey));
    assertEquals(role, e.role());
    return String.valueOf(e.getMessage());
  }

  private void requireChain(NodeCertificates node) throws Exception {
    List<X509Certificate> all =
        List.of(leaf.certificate(), low.certificate(), middle.certificate());
    assertEquals(all, node.chain());
    node.check().require(node.chain(), ChainCheck.Use.SERVER);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"LCK", "KLC", "KCL", "CKL", "LLCK", "LCCK", "CLLCKL", "LRCK", "KCRL", "LOCK"})
  void shouldTakeOneFileInAnyOrder(String order) throws Exception {
    StringBuilder text = new StringBuilder("Bag Attributes\n    friendlyName: n\u00f6de\n");
    for (int i = 0; i < order.length(); i++) {
      text.append(
          switch (order.charAt(i)) {
            case 'L' -> certificate;
            case 'C' -> chain;
            case 'R' -> TestCertificates.pem(root.certificate());
            case 'O' -> TestCertificates.pem(new TestCertificates("other").certificate());
            default -> key;
          });
    }
    Path all = file("all.pem", text.toString());
    NodeCertificates node = read(all, all);
    assertEquals(leaf.certificate(), node.chain().getFirst());
    if (order.contains("R")) {
      assertEquals(root.certificate(), node.chain().getLast());
    } else {
      requireChain(node);
    }
    node.check().require(node.chain(), ChainCheck.Use.CLIENT);
  }

  @Test
  void shouldTakeAChainInAnotherOrderAndLinesOfAnyKind() throws Exception {
    String other =
        TestCertificates.pem(middle.certificate())
            + certificate
            + TestCertificates.pem(low.certificate());
    requireChain(read(file("c.pem", other), file("k.pem", key)));
    Path joined = file("j.pem", (certificate + chain + key).replace("-----\n-----", "----------"));
    assertTrue(Files.readString(joined).contains("-----END CERTIFICATE----------BEGIN CERT"));
    requireChain(read(joined, joined));
    Path windows = file("w.pem", "\uFEFF" + (certificate + chain + key).replace("\n", "\r\n"));
    requireChain(read(windows, windows));
    Path one = file("one.pem", (key + certificate + chain).replaceAll("(?<=[^-])\n", ""));
    requireChain(read(one, one));
  }

  @Test
  void shouldSayWhichBlockIsDamaged() throws Exception {
    Path keys = file("k.pem", key);
    Path cut = file("c.pem", certificate + chain.substring(0, chain.length() - 30));
    assertEquals(
        cut + " holds a certificate without an end: number 3",
        problem(CertificateFiles.Role.CERTIFICATE, cut, keys));
    Path bad = file("b.pem", certificate + TestCertificates.pem("CERTIFICATE", new byte[40]));
    assertEquals(
        bad + " holds a certificate that is damaged: number 2",
        problem(CertificateFiles.Role.CERTIFICATE, bad, keys));
    assertEquals(
        keys + " holds no certificate in PEM",
        problem(CertificateFiles.Role.CERTIFICATE, keys, keys));
    Path open = file("o.pem", key.substring(0, key.length() - 30));
    assertEquals(
        open + " holds a private key without an end",
        problem(CertificateFiles.Role.PRIVATE_KEY, file("ok.pem", certificate), open));
  }

  @Test
  void shouldTellAnEmptyFileFromADirectoryAndFromOneThatMayNotBeRead() throws Exception {
    Path certificates = file("c.pem", certificate);
    Path empty = file("empty.pem", "");
    assertEquals(
        empty + " is empty", problem(CertificateFiles.Role.PRIVATE_KEY, certificates, empty));
    assertEquals(
        folder + " is a directory",
        problem(CertificateFiles.Role.PRIVATE_KEY, certificates, folder));
    Path closed = file("closed.pem", key);
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("---------"));
    assumeFalse(Files.isReadable(closed), "this user reads files that nobody may read");
    assertEquals(
        closed + " may not be read by this process",
        problem(CertificateFiles.Role.PRIVATE_KEY, certificates, closed));
  }

  @Test
  void shouldTakeAuthoritiesAlone() throws Exception {
    Path certificates = file("c.pem", certificate + chain);
    Path keys = file("k.pem", key);
    authorities = file("bundle.pem", TestCertificates.pem(root.certificate()) + certificate);
    assertEquals(
        authorities
            + " holds the certificate CN=leaf, which is no authority: its basic constraints do not"
            + " have CA:TRUE",
        problem(CertificateFiles.Role.AUTHORITIES, certificates, keys));
    authorities =
        file("old.pem", TestCertificates.pem(TestCertificates.ofDays("old", -9, -2).certificate()));
    String expired = problem(CertificateFiles.Role.AUTHORITIES, certificates, keys);
    assertTrue(
        expired.startsWith(authorities + " holds the certificate CN=old, which expired at "),
        expired);
    authorities =
        file("new.pem", TestCertificates.pem(TestCertificates.ofDays("new", 2, 9).certificate()));
    String early = problem(CertificateFiles.Role.AUTHORITIES, certificates, keys);
    assertTrue(early.contains("CN=new, which is not valid before "), early);
  }

  /** The authority was in force when the node read the file, perhaps long ago. */
  @Test
  void shouldBelieveNoAuthorityThatHasExpired() {
    TestCertificates old = TestCertificates.ofDays("old", -9, -1);
    List<X509Certificate> peer = old.issue("peer", "127.0.0.1").chain();
    for (List<X509Certificate> trusted :
        List.of(List.of(old.certificate()), List.of(root.certificate(), old.certificate()))) {
      ChainCheck check = new ChainCheck(trusted, List.of());
      String reason =
          String.valueOf(
              assertThrows(
                      java.security.cert.CertificateException.class,
                      () -> check.require(peer, ChainCheck.Use.CLIENT))
                  .getMessage());
      assertTrue(
          reason.contains("depends on the authority CN=old of this node, which expired at "),
          reason);
    }
  }

  private Path openssl(String name, String... arguments) throws Exception {
    Path made = folder.resolve(name);
    List<String> command = new ArrayList<>(List.of("openssl"));
    command.addAll(Arrays.asList(arguments));
    command.addAll(List.of("-out", made.toString()));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      assumeTrue(false, "openssl is not installed");
      throw e;
    }
    process.getOutputStream().close();
    try (InputStream said = process.getInputStream()) {
      String text = new String(said.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
      assertEquals(0, process.waitFor(), text);
    }
    return made;
  }

  @Test
  void shouldTakeWhatOpensslMakesOfPkcs12() throws Exception {
    Path keys = file("k.pem", key);
    Path packed =
        openssl(
            "all.p12",
            "pkcs12",
            "-export",
            "-passout",
            "pass:secret",
            "-name",
            "node",
            "-inkey",
            keys.toString(),
            "-in",
            file("c.pem", certificate).toString(),
            "-certfile",
            file("m.pem", chain).toString());
    Path all =
        openssl("all.pem", "pkcs12", "-nodes", "-passin", "pass:secret", "-in", packed.toString());
    assertTrue(Files.readString(all).contains("Bag Attributes"));
    requireChain(read(all, all));
  }

  private static void assertSame(KeyPair pair, NodeCertificates node) {
    if (pair.getPrivate() instanceof ECPrivateKey key) {
      assertEquals(key.getS(), ((ECPrivateKey) node.privateKey()).getS());
    } else {
      assertEquals(pair.getPrivate(), node.privateKey());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"EC", "RSA"})
  void shouldReadKeysOfOpensslInEachForm(String algorithm) throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance(algorithm).generateKeyPair();
    TestCertificates.Issued own = root.issueTo("own", pair, "127.0.0.1");
    Path certificates = file("c.pem", TestCertificates.pem(own.certificate()));
    Path plain = file("k.pem", TestCertificates.pem(pair));
    String tool = algorithm.equals("EC") ? "ec" : "rsa";
    List<String> traditional = new ArrayList<>(List.of(tool, "-in", plain.toString()));
    if (algorithm.equals("RSA")) {
      traditional.add("-traditional");
    }
    Path old = openssl("old.pem", traditional.toArray(String[]::new));
    String text = Files.readString(old);
    assertTrue(text.contains("BEGIN " + algorithm + " PRIVATE KEY"), "the form of old");
    assertSame(pair, read(certificates, old));
    Path all =
        file(
            "all.pem",
            "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n"
                + "-----END EC PARAMETERS-----\n"
                + text
                + Files.readString(certificates));
    assertSame(pair, read(all, all));

    traditional.addAll(List.of("-aes128", "-passout", "pass:secret"));
    Path oldSecret = openssl("olds.pem", traditional.toArray(String[]::new));
    Path secret =
        openssl("s.pem", "pkcs8", "-topk8", "-passout", "pass:secret", "-in", plain.toString());
    for (Path each : List.of(oldSecret, secret)) {
      assertEquals(
          each
              + " holds a private key under a pass phrase, which nobody is there to type; write it"
              + " without one: openssl pkey -in "
              + each
              + " -out key.pem",
          problem(CertificateFiles.Role.PRIVATE_KEY, certificates, each));
      Path mended = openssl("mended.pem", "pkey", "-passin", "pass:secret", "-in", each.toString());
      assertSame(pair, read(certificates, mended));
    }
  }
}
