package io.millrace.handshake.certificates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyPairGenerator;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateCredentialsTest {
  private final TestCertificates authority = new TestCertificates("authority");
  @TempDir private Path folder;

  private CertificateFiles files(TestCertificates.Issued own) throws Exception {
    return TestCertificates.write(folder, authority, own);
  }

  private static String problem(CertificateFiles files, CertificateFiles.Role role) {
    CertificateFileException e =
        assertThrows(
            CertificateFileException.class,
            () -> CertificateCredentials.load(files, PeerNames.NONE));
    assertEquals(role, e.role());
    return String.valueOf(e.getMessage());
  }

  @Test
  void shouldNameTheFileThatCannotBeUsed() throws Exception {
    CertificateFiles files = files(authority.issue("a", "127.0.0.1"));
    Path key = files.privateKey();

    Files.writeString(key, "nothing");
    assertEquals(
        key + " holds no private key in PEM", problem(files, CertificateFiles.Role.PRIVATE_KEY));
    Files.writeString(key, TestCertificates.pem("DSA PRIVATE KEY", new byte[40]));
    assertTrue(
        problem(files, CertificateFiles.Role.PRIVATE_KEY)
            .startsWith(key + " holds a private key of another form; write it as PKCS#8"));
    for (String form : List.of("PRIVATE KEY", "EC PRIVATE KEY", "RSA PRIVATE KEY")) {
      Files.writeString(key, TestCertificates.pem(form, new byte[40]));
      assertEquals(
          key + " holds no private key for the certificate, which has a key of EC",
          problem(files, CertificateFiles.Role.PRIVATE_KEY));
    }
    Files.writeString(key, TestCertificates.pem(authority.issue("b", "x").keys()));
    assertEquals(
        key + " holds another key than that of the certificate in " + files.certificate(),
        problem(files, CertificateFiles.Role.PRIVATE_KEY));
    Files.delete(key);
    assertEquals(key + " does not exist", problem(files, CertificateFiles.Role.PRIVATE_KEY));
    Files.writeString(files.certificate(), "");
    assertEquals(
        files.certificate() + " is empty", problem(files, CertificateFiles.Role.CERTIFICATE));
    Files.createDirectory(key);
    Files.delete(files.authorities());
    assertEquals(
        files.authorities() + " does not exist", problem(files, CertificateFiles.Role.AUTHORITIES));
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "Ed25519", "RSASSA-PSS"})
  void shouldTellWhetherKeyAndCertificateBelongTogether(String algorithm) throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
    CertificateFiles files = files(authority.issueTo("a", generator.generateKeyPair(), "h"));
    assertEquals(
        algorithm.startsWith("Ed") ? "EdDSA" : algorithm,
        CertificateCredentials.load(files, PeerNames.NONE)
            .current(_ -> {})
            .privateKey()
            .getAlgorithm());

    Files.writeString(files.privateKey(), TestCertificates.pem(generator.generateKeyPair()));
    assertTrue(
        problem(files, CertificateFiles.Role.PRIVATE_KEY).contains("holds another key than"));
  }

  @Test
  void shouldReadFilesAgainOnlyWhenTheyChange() throws Exception {
    CertificateFiles files = files(authority.issue("a", "127.0.0.1"));
    CertificateCredentials credentials = CertificateCredentials.load(files, PeerNames.NONE);
    List<CertificateReload> told = new ArrayList<>();
    NodeCertificates first = credentials.current(told::add);
    assertSame(first, credentials.current(told::add));

    files(authority.issue("b", "127.0.0.1"));
    NodeCertificates second = credentials.current(told::add);
    assertTrue(second.description().startsWith("CN=b, issued by CN=authority, valid until "));
    assertEquals(List.of(new CertificateReload(true, second.description())), told);

    told.clear();
    Files.delete(files.privateKey());
    assertSame(second, credentials.current(told::add));
    assertSame(second, credentials.current(told::add));
    assertEquals(
        List.of(new CertificateReload(false, files.privateKey() + " does not exist")), told);
  }

  /** The kubelet exchanges all files of a secret by one link to another directory. */
  @Test
  void shouldReadASecretThatTheKubeletHasExchanged() throws Exception {
    TestCertificates.write(folder.resolve("..first"), authority, authority.issue("a", "127.0.0.1"));
    Path data = Files.createSymbolicLink(folder.resolve("..data"), Path.of("..first"));
    CertificateFiles files =
        new CertificateFiles(
            Files.createSymbolicLink(
                folder.resolve("ca.crt"), Path.of("..data", "authorities.pem")),
            Files.createSymbolicLink(
                folder.resolve("tls.crt"), Path.of("..data", "certificate.pem")),
            Files.createSymbolicLink(folder.resolve("tls.key"), Path.of("..data", "key.pem")),
            null);
    CertificateCredentials credentials = CertificateCredentials.load(files, PeerNames.NONE);
    List<CertificateReload> told = new ArrayList<>();
    NodeCertificates first = credentials.current(told::add);

    TestCertificates.write(
        folder.resolve("..second"), authority, authority.issue("b", "127.0.0.1"));
    assertSame(first, credentials.current(told::add));
    Path next = Files.createSymbolicLink(folder.resolve("..data_tmp"), Path.of("..second"));
    Files.move(next, data, StandardCopyOption.ATOMIC_MOVE);

    NodeCertificates second = credentials.current(told::add);
    assertTrue(second.description().startsWith("CN=b, "), second::description);
    assertEquals(List.of(new CertificateReload(true, second.description())), told);
  }

  @Test
  void shouldPrintNoKey() throws Exception {
    TestCertificates.Issued own = authority.issue("a", "127.0.0.1");
    CertificateCredentials credentials = CertificateCredentials.load(files(own), PeerNames.NONE);
    String both = credentials + " " + credentials.current(_ -> {});
    assertTrue(both.contains("key redacted"), both);
    assertFalse(both.contains("ECPrivate"), both);
  }

  @Test
  void shouldRefuseWhenNoListSaysWhoIsRevoked() throws Exception {
    TestCertificates other = new TestCertificates("other");
    CertificateFiles files = files(authority.issue("a", "127.0.0.1"));
    Path list = TestCertificates.replace(folder.resolve("lists.pem"), other.revocations());
    NodeCertificates node =
        CertificateCredentials.load(
                new CertificateFiles(
                    files.authorities(), files.certificate(), files.privateKey(), list),
                PeerNames.NONE)
            .current(_ -> {});
    CertificateException e =
        assertThrows(
            CertificateException.class,
            () -> node.check().require(node.chain(), ChainCheck.Use.SERVER));
    assertEquals(
        "its certificate CN=a may be revoked: millrace.handshake.tls.revocations has no list in"
            + " force by its issuer",
        e.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "a.example.org, a.example.org, true",
    "A.Example.ORG, a.example.org., true",
    "a.example.org, b.example.org, false",
    "*.example.org, a.example.org, true",
    "*.example.org, a.b.example.org, false",
    "*.example.org, example.org, false",
    "*.example.org, .example.org, false",
    "*.org, example.org, false",
    "f*.example.org, foo.example.org, false",
    "127.0.0.1, 127.0.0.1, true",
    "127.0.0.1, 127.0.0.2, false",
    "::1, 0:0:0:0:0:0:0:1, true",
    "10.0.0.1.example.org, 10.0.0.1, false"
  })
  void shouldMatchNames(String named, String host, boolean covers) {
    TestCertificates.Issued one = authority.issue("x", named);
    assertEquals(covers, CertificateNames.of(one.certificate()).cover(host));
  }

  /** The common name of a certificate does not count as a name of the host. */
  @Test
  void shouldTakeNoNameFromTheSubject() {
    CertificateNames none = CertificateNames.of(authority.issue("a.example.org").certificate());
    assertFalse(none.cover("a.example.org"));
    assertEquals("no host", none.toString());
  }

  @ParameterizedTest
  @CsvSource({
    "*.db.example.org, a.db.example.org, true",
    "*.db.example.org, *.db.example.org, true",
    "*.db.example.org, a.b.db.example.org, false",
    "*.db.example.org, db.example.org, false",
    "gate.example.org, gate.example.org, true",
    "10.0.0.9, 10.0.0.9, true",
    "10.0.0.9, 10.0.0.8, false"
  })
  void shouldLetAnyPeerBearTheNamesOfTheSettings(String allowed, String named, boolean admits)
      throws Exception {
    PeerNames names = new PeerNames(List.of(allowed));
    TestCertificates.Issued peer = authority.issue("x", named);
    if (admits) {
      names.requireIdentity(peer.certificate(), "192.168.7.7:7400");
    } else {
      assertThrows(
          CertificateException.class,
          () -> names.requireIdentity(peer.certificate(), "192.168.7.7:7400"));
    }
    PeerNames.NONE.requireIdentity(authority.issue("y", "::1").certificate(), "[::1]:7400");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "*", "*.org", "a b", "*.*.org.x\n", "ä.example.org", "a*.b.c"})
  void shouldRefuseNamesThatAreNone(String name) {
    assertThrows(IllegalArgumentException.class, () -> new PeerNames(List.of(name)));
  }
}
