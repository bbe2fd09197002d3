package io.millrace.samples.certs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.handshake.certificates.CertificateNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertStore;
import java.security.cert.CertificateFactory;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateDirectoryTest {
  private static final boolean[] SIGNS_CERTIFICATES_AND_LISTS = {
    false, false, false, false, false, true, true, false, false
  };
  private static final boolean[] SIGNS = {
    true, false, false, false, false, false, false, false, false
  };
  private static final String SERVER = "1.3.6.1.5.5.7.3.1";
  private static final String CLIENT = "1.3.6.1.5.5.7.3.2";

  @TempDir Path folder;
  private CertificateDirectory directory = new CertificateDirectory(Path.of(""));

  @BeforeEach
  void choose() {
    directory = new CertificateDirectory(folder.resolve("certs"));
  }

  private static X509Certificate first(Path file) throws Exception {
    return CertificateDirectory.read(file).getFirst();
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  private static List<String> names(X509Certificate certificate) throws Exception {
    Collection<List<?>> names = certificate.getSubjectAlternativeNames();
    return names.stream().map(name -> name.getFirst() + " " + name.getLast()).toList();
  }

  private static long days(X509Certificate certificate) {
    return Duration.between(
            certificate.getNotBefore().toInstant(), certificate.getNotAfter().toInstant())
        .toDays();
  }

  private void assertRefused(String sentence, Asked asked) {
    CertificatesException refused = assertThrows(CertificatesException.class, asked::run);
    assertEquals(sentence.replace("DIR", directory.path().toString()), refused.getMessage());
  }

  private interface Asked {
    void run() throws Exception;
  }

  private static void validate(X509Certificate authority, X509Certificate node, X509CRL... lists)
      throws Exception {
    PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(authority, null)));
    parameters.setRevocationEnabled(lists.length > 0);
    parameters.addCertStore(
        CertStore.getInstance("Collection", new CollectionCertStoreParameters(List.of(lists))));
    CertPathValidator.getInstance("PKIX")
        .validate(
            CertificateFactory.getInstance("X.509").generateCertPath(List.of(node)), parameters);
  }

  @Test
  void shouldMakeAnAuthorityThatSignsAndVouchesForItself() throws Exception {
    directory.makeAuthority(30, false);

    X509Certificate authority = first(directory.authority());
    authority.verify(authority.getPublicKey());
    assertEquals(0, authority.getBasicConstraints());
    assertArrayEquals(SIGNS_CERTIFICATES_AND_LISTS, authority.getKeyUsage());
    assertEquals(Set.of("2.5.29.15", "2.5.29.19"), authority.getCriticalExtensionOIDs());
    assertEquals(256, ((ECPublicKey) authority.getPublicKey()).getParams().getOrder().bitLength());
    assertEquals(30, days(authority));
    assertEquals("rw-------", permissions(directory.authorityKey()));
    assertEquals("rw-r--r--", permissions(directory.authority()));
    assertEquals("rwx------", permissions(directory.path()));
  }

  @Test
  void shouldMakeANodeThatTheAuthorityVouchesFor() throws Exception {
    directory.makeAuthority(30, false);
    directory.makeNode("db-1.example.org", List.of(), 20, false);

    X509Certificate node = first(directory.certificate("db-1.example.org"));
    validate(first(directory.authority()), node);
    assertEquals(
        List.of("2 localhost", "7 127.0.0.1", "7 0:0:0:0:0:0:0:1", "2 db-1.example.org"),
        names(node));
    assertEquals(List.of(SERVER, CLIENT), node.getExtendedKeyUsage());
    assertArrayEquals(SIGNS, node.getKeyUsage());
    assertEquals(-1, node.getBasicConstraints());
    assertEquals(20, days(node));
    assertEquals("rw-------", permissions(directory.key("db-1.example.org")));
    assertEquals(
        List.of(node, first(directory.authority())),
        CertificateDirectory.read(directory.certificate("db-1.example.org")));
    assertEquals(node, directory.requireNode("db-1.example.org"));
    PrivateKey key = PemFiles.key(directory.key("db-1.example.org"));
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(key);
    byte[] signed = signature.sign();
    signature.initVerify(node.getPublicKey());
    assertTrue(signature.verify(signed));
  }

  @Test
  void shouldNameTheHostsThatItIsTold() throws Exception {
    directory.makeAuthority(30, false);
    directory.makeNode("a", List.of("*.db.example.org", "10.0.0.1", "fd00::2"), 20, false);

    assertEquals(
        List.of("2 *.db.example.org", "7 10.0.0.1", "7 fd00:0:0:0:0:0:0:2"),
        names(first(directory.certificate("a"))));
  }

  @Test
  void shouldNotOutliveTheAuthority() throws Exception {
    directory.makeAuthority(10, false);
    directory.makeNode("a", List.of(), 365, false);

    assertEquals(
        first(directory.authority()).getNotAfter(),
        first(directory.certificate("a")).getNotAfter());
  }

  @Test
  void shouldReplaceNothingUnlessForced() throws Exception {
    directory.makeAuthority(30, false);
    directory.makeNode("a", List.of(), 30, false);
    byte[] authority = Files.readAllBytes(directory.authority());
    byte[] node = Files.readAllBytes(directory.certificate("a"));

    assertRefused(
        "'DIR/ca.pem' exists; --force replaces it", () -> directory.makeAuthority(1, false));
    assertRefused(
        "'DIR/a.pem' exists; --force replaces it",
        () -> directory.makeNode("a", List.of(), 1, false));
    Files.delete(directory.authority());
    assertRefused(
        "'DIR/ca-key.pem' exists; --force replaces it", () -> directory.makeAuthority(1, false));
    Files.write(directory.authority(), authority);
    assertArrayEquals(node, Files.readAllBytes(directory.certificate("a")));

    directory.makeNode("a", List.of(), 30, true);
    assertFalse(Arrays.equals(node, Files.readAllBytes(directory.certificate("a"))));
    directory.makeAuthority(30, true);
    assertFalse(Arrays.equals(authority, Files.readAllBytes(directory.authority())));
  }

  @Test
  void shouldRevokeOneAfterTheOther() throws Exception {
    directory.makeAuthority(30, false);
    for (String name : List.of("a", "b", "c")) {
      directory.makeNode(name, List.of(), 20, false);
    }
    X509Certificate authority = first(directory.authority());

    directory.revoke("a");
    X509CRL one = PemFiles.revocations(directory.revocations());
    directory.revoke("b");
    X509CRL two = PemFiles.revocations(directory.revocations());

    two.verify(authority.getPublicKey());
    for (String name : List.of("a", "b")) {
      CertPathValidatorException refused =
          assertThrows(
              CertPathValidatorException.class,
              () -> validate(authority, first(directory.certificate(name)), two));
      assertEquals(CertPathValidatorException.BasicReason.REVOKED, refused.getReason());
    }
    validate(authority, first(directory.certificate("b")), one);
    validate(authority, first(directory.certificate("c")), two);
    assertEquals("rw-r--r--", permissions(directory.revocations()));
    assertArrayEquals(new byte[] {4, 3, 2, 1, 1}, one.getExtensionValue("2.5.29.20"));
    assertArrayEquals(new byte[] {4, 3, 2, 1, 2}, two.getExtensionValue("2.5.29.20"));
    assertRefused("the certificate in 'DIR/a.pem' is revoked already", () -> directory.revoke("a"));
    directory.makeNode("a", List.of(), 20, true);
    validate(authority, first(directory.certificate("a")), two);
  }

  @Test
  void shouldNotRevokeWhatAnotherAuthoritySigned() throws Exception {
    directory.makeAuthority(30, false);
    directory.makeNode("a", List.of(), 20, false);
    directory.makeAuthority(30, true);

    assertRefused(
        "the certificate in 'DIR/a.pem' is by another authority than 'DIR/ca.pem'",
        () -> directory.revoke("a"));
  }

  @Test
  void shouldSayWhatIsMissing() throws Exception {
    assertRefused(
        "there is no 'DIR/ca.pem'; 'millrace certs init --dir DIR' makes it",
        () -> directory.makeNode("a", List.of(), 1, false));
    directory.makeAuthority(30, false);
    assertRefused(
        "there is no 'DIR/a.pem'; 'millrace certs node a --dir DIR' makes it",
        () -> directory.requireNode("a"));
    Files.delete(directory.authorityKey());
    assertRefused(
        "there is no 'DIR/ca-key.pem' to sign with; only the folder of 'millrace certs init' has"
            + " this key",
        () -> directory.makeNode("a", List.of(), 1, false));
    assertRefused(
        "there is no 'DIR/ca-key.pem' to sign with; only the folder of 'millrace certs init' has"
            + " this key",
        directory::makeMissing);
    Files.writeString(directory.authorityKey(), "rubbish");
    assertRefused(
        "'DIR/ca-key.pem' holds no EC private key in PEM (PKCS#8)",
        () -> directory.makeNode("a", List.of(), 1, false));
    Files.writeString(directory.authority(), "rubbish");
    assertRefused(
        "'DIR/ca.pem' holds no certificate in PEM",
        () -> directory.makeNode("a", List.of(), 1, false));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "ca", "revoked", "a-key", ".a", "a/b", "../a", "-a", "a b"})
  void shouldRefuseANameThatIsNoFile(String name) {
    assertRefused(
        "NAME must be letters, digits and . : _ - and neither ca, revoked nor end in -key, not '"
            + name
            + "'",
        () -> directory.makeNode(name, List.of(), 1, false));
  }

  /** Containers have such names, and every other place accepts the names. */
  @Test
  void shouldTakeHostsWithUnderscores() throws Exception {
    directory.makeAuthority(30, false);
    List<String> hosts = List.of("db_1", "_a.b_c.example.org", "*.my_net.org");
    directory.makeNode("a", hosts, 1, false);
    directory.makeNode("node_2", List.of(), 1, false);

    X509Certificate node = first(directory.certificate("a"));
    validate(first(directory.authority()), node);
    assertEquals(hosts.stream().map(host -> "2 " + host).toList(), names(node));
    for (String host : List.of("db_1", "_a.b_c.example.org", "x_y.my_net.org")) {
      assertTrue(CertificateNames.of(node).cover(host), host);
    }
    assertTrue(names(first(directory.certificate("node_2"))).contains("2 node_2"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "1.2.3", "1.2.3.4:5", "-a", "a.-b", "a_-", "*", "a.*.b"})
  void shouldRefuseAHostThatIsNone(String host) {
    assertRefused(
        "--host must be a DNS name or an IP address, not '" + host + "'",
        () -> directory.makeNode("a", List.of(host), 1, false));
  }

  @Test
  void shouldMakeWhatIsMissingOnceWhenSeveralAreFirst() throws Exception {
    List<Boolean> made =
        IntStream.range(0, 8)
            .parallel()
            .mapToObj(
                i -> {
                  try {
                    boolean isFirst = new CertificateDirectory(directory.path()).makeMissing();
                    directory.requireNode(CertificateDirectory.USUAL_NODE);
                    return isFirst;
                  } catch (IOException | CertificatesException e) {
                    throw new AssertionError(e);
                  }
                })
            .toList();

    assertEquals(1, made.stream().filter(isFirst -> isFirst).count());
    X509Certificate node = first(directory.certificate(CertificateDirectory.USUAL_NODE));
    validate(first(directory.authority()), node);
    assertTrue(
        names(node).containsAll(List.of("2 localhost", "7 127.0.0.1")), names(node)::toString);
    try (Stream<Path> files = Files.list(directory.path())) {
      assertEquals(
          List.of(".lock", "ca-key.pem", "ca.pem", "localhost-key.pem", "localhost.pem"),
          files.map(file -> String.valueOf(file.getFileName())).sorted().toList());
    }
  }

  @Test
  void shouldCompleteAnAuthorityThatTheUserMade() throws Exception {
    directory.makeAuthority(30, false);
    byte[] authority = Files.readAllBytes(directory.authority());

    assertTrue(directory.makeMissing());

    assertArrayEquals(authority, Files.readAllBytes(directory.authority()));
    assertFalse(directory.makeMissing());
  }
}
