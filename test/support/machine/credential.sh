# A secret that systemd reads as root, for env_from of an app.
UNIT=nodecluster-deploy
COPY=/run/credentials/$UNIT.service/db

step "startup --credential, and an app that takes it"
root "mkdir -p /etc/shop && echo first-5d1c > /etc/shop/db.secret && chmod 600 /etc/shop/db.secret
  nodecluster startup --user deploy --credential db:/etc/shop/db.secret; systemctl is-active $UNIT"
check '^active$'
root "printf '%s\n' \"require('http').createServer((q, s) => s.end(process.env.DB_PASSWORD)).listen(21020)\" > /srv/secret.cjs
  printf '%s\n' 'name: secret' 'script: ./secret.cjs' 'env_from: [{file: $COPY, as: DB_PASSWORD}]' > /srv/secret.yml"
deploy "nodecluster start /srv/secret.yml -s; curl -s localhost:21020; cat /etc/shop/db.secret"
check '^first-5d1c'
check 'Permission denied'

step "Another secret, after a restart of the service and a reload"
root "echo rotated-77ae > /etc/shop/db.secret; systemctl restart $UNIT"
deploy "nodecluster reload secret -s; curl -s localhost:21020"
check 'rotated-77ae'
root "grep -rl -e first-5d1c -e rotated-77ae ~deploy/.nodecluster || echo nowhere"
check '^nowhere$'
