package io.millrace.handshake.certificates;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** Offers a node's only certificate to every peer. Immutable, any thread. */
public final class NodeKeys extends X509ExtendedKeyManager {
  private static final String ALIAS = "node";

  private final NodeCertificates certificates;

  /** Offers these certificates, whatever the files hold later. */
  public NodeKeys(NodeCertificates certificates) {
    this.certificates = certificates;
  }

  private @Nullable String aliasFor(String... keyTypes) {
    String own = certificates.privateKey().getAlgorithm();
    return Arrays.asList(keyTypes).contains(own) ? ALIAS : null;
  }

  private String[] aliases(String keyType) {
    return aliasFor(keyType) == null ? new String[0] : new String[] {ALIAS};
  }

  @Override
  public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return aliases(keyType);
  }

  @Override
  public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return aliases(keyType);
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return aliasFor(keyTypes);
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return aliasFor(keyType);
  }

  @Override
  public @Nullable String chooseEngineClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, SSLEngine engine) {
    return aliasFor(keyTypes);
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
    return aliasFor(keyType);
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return certificates.chain().toArray(X509Certificate[]::new);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return certificates.privateKey();
  }
}
